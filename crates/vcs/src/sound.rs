//! The TIA's two sound channels (Stella Programmer's Guide), as samples of eight bits.
//!
//! A scanline has two audio clocks. After every AUDF + 1 of them a channel moves its two shift registers on: a pulse counter of
//! four bits, whose last bit is the output, and a noise counter of five bits, which gates or feeds the pulse counter. AUDC selects
//! the waveform, AUDV the volume.
//!
//! As in ALE, the samples of an action are made after its frames: [`SOUND_SAMPLES`] audio clocks with the registers' last values.
//! Earlier writes in these frames have no effect. The counters move only in [`Sound::play`], so a sound continues at the next call.
//! A reset changes neither registers nor counters. All of this was measured with ale-py; `tests/conformance/sound.py` measures it
//! again.

use crate::state::fields;
use std::mem::offset_of;

/// Samples made at a time: one for each audio clock of 256 scanlines. Played 60 times a second (50 for a PAL
/// game) that is 30,720 (25,600) samples a second.
pub const SOUND_SAMPLES: usize = 512;

/// The sample of silence.
const SILENCE: u8 = 128;
/// The amount that each step of AUDV adds to a sample while the channel's output is high.
const VOLUME_STEP: u8 = 4;

/// The first sound register: AUDC0, AUDC1, AUDF0, AUDF1, AUDV0, AUDV1 from here.
const AUDC0: u8 = 0x15;

/// The number of sound registers.
pub(crate) const REGISTERS: usize = 6;

/// Both channels, and the samples last made.
#[derive(Clone, Debug)]
pub(crate) struct Sound {
    channels: [Channel; 2],
    samples: [u8; SOUND_SAMPLES],
}

fields!(Sound { channels, samples } where is_valid);

impl Sound {
    fn is_valid(&self) -> bool {
        const LOUDEST: u8 = SILENCE + 2 * 15 * VOLUME_STEP;
        let is_level = |&sample: &u8| (SILENCE..=LOUDEST).contains(&sample) && sample.is_multiple_of(VOLUME_STEP);
        self.samples == [0; SOUND_SAMPLES] || self.samples.iter().all(is_level)
    }

    /// All registers 0, and samples of 0 until some are made.
    pub(crate) fn new() -> Self {
        Self {
            channels: [Channel::new(), Channel::new()],
            samples: [0; SOUND_SAMPLES],
        }
    }

    /// Writes to one of the registers AUDC0 (0x15) to AUDV1 (0x1A). Other registers are ignored.
    #[inline]
    pub(crate) fn write(&mut self, register: u8, value: u8) {
        let index = register.wrapping_sub(AUDC0);
        let channel = &mut self.channels[usize::from(index & 1)];
        if let Some(place) = channel.registers.get_mut(usize::from(index / 2)) {
            *place = value;
        }
    }

    /// The offset of the register's byte, in bytes from the beginning. `register` is one of AUDC0 to AUDV1.
    pub(crate) const fn offset_of(register: u8) -> usize {
        let index = (register - AUDC0) as usize;
        let channel = offset_of!(Sound, channels) + (index & 1) * size_of::<Channel>();
        channel + offset_of!(Channel, registers) + index / 2
    }

    /// The sound registers, in the order of their addresses.
    pub(crate) fn registers(&self) -> [u8; REGISTERS] {
        std::array::from_fn(|index| self.channels[index & 1].registers[index / 2])
    }

    /// Writes to all of them.
    pub(crate) fn set_registers(&mut self, values: [u8; REGISTERS]) {
        for (register, value) in (AUDC0..).zip(values) {
            self.write(register, value);
        }
    }

    /// Runs both channels for [`SOUND_SAMPLES`] audio clocks.
    pub(crate) fn play(&mut self) -> &[u8; SOUND_SAMPLES] {
        self.samples.fill(SILENCE);
        for channel in &mut self.channels {
            channel.add_to(&mut self.samples);
        }
        &self.samples
    }

    /// The samples of the last [`Sound::play`].
    pub(crate) fn samples(&self) -> &[u8; SOUND_SAMPLES] {
        &self.samples
    }
}

/// One channel: its registers as written, and its counters.
#[derive(Clone, Debug)]
struct Channel {
    /// AUDC, AUDF and AUDV. The low 4, 5 and 4 bits have an effect.
    registers: [u8; REGISTERS / 2],
    /// Audio clocks since the shift registers moved.
    clocks: u8,
    /// The pulse counter: bit 0 is heard, bit 3 is fed.
    pulse: u8,
    /// The noise counter: bit 0 leaves it, bit 4 is fed.
    noise: u8,
}

fields!(Channel { registers, clocks, pulse, noise } where is_valid);

impl Channel {
    /// Whether the counters have values of their widths.
    fn is_valid(&self) -> bool {
        self.clocks < 32 && self.pulse < 16 && self.noise < 32
    }

    fn new() -> Self {
        Self {
            registers: [0; REGISTERS / 2],
            clocks: 0,
            pulse: 0b1000,
            noise: 0b1_0000,
        }
    }

    /// Adds the channel's level after each of the next audio clocks.
    fn add_to(&mut self, samples: &mut [u8]) {
        let [control, frequency, volume] = self.registers;
        let waveform = WAVEFORMS[usize::from(control & 0x0F)];
        let frequency = frequency & 0x1F;
        let level = (volume & 0x0F) * VOLUME_STEP;
        for sample in samples {
            // An AUDF below the present count ends it at once.
            if self.clocks < frequency {
                self.clocks += 1;
            } else {
                self.clocks = 0;
                self.shift(waveform);
            }
            *sample += level * (self.pulse & 1);
        }
    }

    /// Moves the shift registers on by one.
    fn shift(&mut self, waveform: Waveform) {
        let (pulse, noise) = (self.pulse, self.noise);
        let fed_to_noise = match waveform.noise {
            Noise::Stopped => None,
            Noise::Polynomial => Some(noise ^ noise >> 2 | u8::from(noise == 0)),
            Noise::Chained => Some(noise ^ pulse),
        };
        if let Some(bit) = fed_to_noise {
            self.noise = noise >> 1 | (bit & 1) << 4;
        }
        let open = match waveform.gate {
            Gate::Open => true,
            Gate::Noise => self.noise & 1 != 0,
            Gate::TwiceInThirtyOne => self.noise >> 1 == 1,
        };
        if !open {
            return;
        }
        let (shifted, bit) = match waveform.pulse {
            Pulse::Ones => (pulse >> 1, 1),
            Pulse::Polynomial => (pulse >> 1, pulse ^ pulse >> 1 | u8::from(pulse == 0)),
            Pulse::Toggle => (pulse >> 1, !(pulse >> 3)),
            // The gated counter has just moved; its new state is heard.
            Pulse::Noise if waveform.gate == Gate::TwiceInThirtyOne => (pulse >> 1, self.noise),
            Pulse::Noise => (pulse >> 1, noise),
            // Every stage inverts, so a ring of three of them has six states.
            Pulse::Six => (!(pulse >> 1) & 0b0111, (pulse >> 2 | pulse >> 3) & !(pulse >> 1)),
        };
        self.pulse = shifted | (bit & 1) << 3;
    }
}

/// The input of the noise counter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Noise {
    /// The counter does not move.
    Stopped,
    /// Itself, with a period of 31.
    Polynomial,
    /// Itself and the pulse counter, which it feeds: together nine bits with a period of 511.
    Chained,
}

/// When the pulse counter moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gate {
    Open,
    /// When the noise counter gives a one.
    Noise,
    /// At two of the noise counter's 31 states, 13 and 18 apart.
    TwiceInThirtyOne,
}

/// The input of the pulse counter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pulse {
    /// Ones: the output follows AUDV.
    Ones,
    /// Itself, with a period of 15.
    Polynomial,
    /// The inverse of its last input: a division by two.
    Toggle,
    /// The noise counter.
    Noise,
    /// The inverse of three of its stages: a division by six.
    Six,
}

#[derive(Clone, Copy)]
struct Waveform {
    noise: Noise,
    gate: Gate,
    pulse: Pulse,
}

/// The waveform for each value of AUDC.
const WAVEFORMS: [Waveform; 16] = {
    const fn waveform(noise: Noise, gate: Gate, pulse: Pulse) -> Waveform {
        Waveform { noise, gate, pulse }
    }
    [
        waveform(Noise::Stopped, Gate::Open, Pulse::Ones),
        waveform(Noise::Stopped, Gate::Open, Pulse::Polynomial),
        waveform(Noise::Polynomial, Gate::TwiceInThirtyOne, Pulse::Polynomial),
        waveform(Noise::Polynomial, Gate::Noise, Pulse::Polynomial),
        waveform(Noise::Stopped, Gate::Open, Pulse::Toggle),
        waveform(Noise::Stopped, Gate::Open, Pulse::Toggle),
        waveform(Noise::Polynomial, Gate::TwiceInThirtyOne, Pulse::Toggle),
        waveform(Noise::Polynomial, Gate::Noise, Pulse::Toggle),
        waveform(Noise::Chained, Gate::Open, Pulse::Noise),
        waveform(Noise::Polynomial, Gate::Open, Pulse::Noise),
        waveform(Noise::Polynomial, Gate::TwiceInThirtyOne, Pulse::Noise),
        waveform(Noise::Stopped, Gate::Open, Pulse::Ones),
        waveform(Noise::Stopped, Gate::Open, Pulse::Six),
        waveform(Noise::Stopped, Gate::Open, Pulse::Six),
        waveform(Noise::Polynomial, Gate::TwiceInThirtyOne, Pulse::Six),
        waveform(Noise::Polynomial, Gate::Noise, Pulse::Six),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{InvalidState, State};

    fn sound(control: u8, frequency: u8, volume: u8) -> Sound {
        let mut sound = Sound::new();
        for (register, value) in [(0x15, control), (0x17, frequency), (0x19, volume)] {
            sound.write(register, value);
        }
        sound
    }

    /// The output as digits: 1 is high.
    fn digits(samples: &[u8]) -> String {
        samples
            .iter()
            .map(|&sample| if sample == SILENCE { '0' } else { '1' })
            .collect()
    }

    /// The period of the samples after the first ones.
    fn period(sound: &mut Sound) -> Option<usize> {
        let played: Vec<u8> = (0..6).flat_map(|_| *sound.play()).collect();
        let settled = &played[128..];
        (1..1024).find(|&period| settled.iter().zip(&settled[period..]).all(|(now, later)| now == later))
    }

    #[test]
    fn the_first_samples_are_those_of_ale_py() {
        for (control, measured) in [
            (0, "00111111111111111111111111111111"),
            (1, "00100110101111000100110101111000"),
            (2, "00000000000000000000000000000000"),
            (3, "00000000100001101111011111100000"),
            (4, "00101010101010101010101010101010"),
            (6, "00000000000000000000000000000000"),
            (7, "00000000100010101111011010011000"),
            (8, "00100001000110000100111001010101"),
            (9, "00100001001011001111100011011101"),
            (10, "00000000000000000000000000000000"),
            (12, "10001110001110001110001110001110"),
            (14, "00000000000000011111111111110000"),
            (15, "00011100000011100000011110000000"),
        ] {
            assert_eq!(digits(&sound(control, 0, 15).play()[..32]), measured, "AUDC {control}");
        }
    }

    #[test]
    fn every_control_repeats_after_its_period() {
        let periods = [1, 15, 465, 465, 2, 2, 31, 31, 511, 31, 31, 1, 6, 6, 93, 93];
        for (control, expected) in (0..).zip(periods) {
            assert_eq!(period(&mut sound(control, 0, 1)), Some(expected), "AUDC {control}");
        }
    }

    #[test]
    fn equal_controls_sound_alike() {
        for (one, other) in [(0, 11), (4, 5), (12, 13)] {
            assert_eq!(sound(one, 3, 9).play(), sound(other, 3, 9).play());
        }
    }

    #[test]
    fn a_frequency_holds_every_state_for_one_clock_more() {
        let (mut fast, mut slow) = (sound(1, 0, 15), sound(1, 2, 15));
        let fast = *fast.play();
        // A state begins with the last of its clocks.
        for (index, sample) in slow.play()[2..].iter().enumerate() {
            assert_eq!(*sample, fast[index / 3]);
        }
    }

    #[test]
    fn a_lower_frequency_ends_a_longer_count() {
        let mut sound = sound(4, 30, 15);
        // 16 counts of 31 clocks, and 16 clocks of the next.
        let last = sound.play()[511];
        sound.write(0x17, 7);
        let next = sound.play();
        assert!(next[..8].iter().all(|&sample| sample != last));
        assert!(next[8..16].iter().all(|&sample| sample == last));
    }

    #[test]
    fn two_channels_add_up_without_clipping() {
        let mut sound = Sound::new();
        for (volume0, volume1) in [(0, 0), (1, 0), (0, 1), (7, 9), (15, 15)] {
            sound.write(0x19, volume0);
            sound.write(0x1A, volume1);
            assert_eq!(sound.play()[511], 128 + 4 * (volume0 + volume1));
        }
    }

    #[test]
    fn upper_bits_of_registers_are_ignored() {
        assert_eq!(sound(0xF3, 0xE5, 0xF9).play(), sound(0x03, 0x05, 0x09).play());
    }

    #[test]
    fn other_registers_are_left_alone() {
        let mut sound = Sound::new();
        for register in (0x00..=0x14).chain(0x1B..=0x3F) {
            sound.write(register, 0xFF);
        }
        assert_eq!(*sound.play(), [SILENCE; SOUND_SAMPLES]);
    }

    #[test]
    fn no_samples_have_been_made_at_first() {
        assert_eq!(*Sound::new().samples(), [0; SOUND_SAMPLES]);
    }

    #[test]
    fn a_sound_goes_on_from_a_saved_state() {
        let mut playing = sound(8, 5, 12);
        playing.play();
        let mut bytes = Vec::new();
        playing.save(&mut bytes);
        let mut restored = Sound::new();
        assert_eq!(restored.load(&mut bytes.as_slice()), Ok(()));
        assert_eq!(restored.samples(), playing.samples());
        assert_eq!(restored.play(), playing.play());
    }

    #[test]
    fn counters_and_samples_that_no_sound_has_are_refused() {
        let mut bytes = Vec::new();
        sound(8, 5, 12).save(&mut bytes);
        for (place, value) in [
            (3, 32),
            (4, 16),
            (5, 32),
            (9, 32),
            (10, 16),
            (11, 32),
            (12, 128),
            (523, 4),
        ] {
            let mut hostile = bytes.clone();
            hostile[place] = value;
            let loaded = Sound::new().load(&mut hostile.as_slice());
            assert_eq!(loaded, Err(InvalidState), "{value} at {place}");
        }
        // The registers take any value.
        for place in [0, 1, 2, 6, 7, 8] {
            bytes[place] = 0xFF;
        }
        let mut sound = Sound::new();
        assert_eq!(sound.load(&mut bytes.as_slice()), Ok(()));
        assert!(sound.play().iter().all(|&sample| sample >= SILENCE));
    }
}
