//! Controllers and switches: joysticks, paddles and the console's own switches.

use crate::tia::Dump;

/// The device in a controller port.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Controller {
    /// Four directions and a fire button.
    #[default]
    Joystick,
    /// Two knobs with a fire button each.
    Paddles,
}

/// How the controllers are wired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wiring {
    /// The left port's controller: player A's joystick, or the paddles of A and B.
    pub left: Controller,
    /// The right port's controller.
    pub right: Controller,
    /// The two ports are exchanged: player A uses the right one.
    pub swap_ports: bool,
    /// The two paddles of a pair are exchanged: player A turns the second one.
    pub swap_paddles: bool,
}

/// A joystick's contacts. All open by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "five contacts are five booleans")]
pub struct Joystick {
    /// Pushed up.
    pub up: bool,
    /// Pulled down.
    pub down: bool,
    /// Pushed left.
    pub left: bool,
    /// Pushed right.
    pub right: bool,
    /// The button is held.
    pub fire: bool,
}

/// A paddle's knob and button.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paddle {
    /// Resistance in ohms, which the charge time is proportional to. With 0 the capacitor is charged at once.
    pub resistance: u32,
    /// The button is held.
    pub fire: bool,
}

/// The console's two buttons and three switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "five switches are five booleans")]
pub struct Switches {
    /// GAME RESET is held.
    pub reset: bool,
    /// GAME SELECT is held.
    pub select: bool,
    /// The left difficulty switch is at A.
    pub left_difficulty_a: bool,
    /// The right difficulty switch is at A.
    pub right_difficulty_a: bool,
    /// TV TYPE is at black and white.
    pub black_and_white: bool,
}

/// The state of controllers and switches during a frame. By default none is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Input {
    /// Joysticks of player A and player B. The joystick of a port with paddles is ignored.
    pub joysticks: [Joystick; 2],
    /// Paddles of players A and B on the left port and C and D on the right one.
    pub paddles: [Paddle; 4],
    /// The console's switches.
    pub switches: Switches,
}

/// [`Input`] as levels of the chips' pins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pins {
    pub(crate) swcha: u8,
    pub(crate) swchb: u8,
    /// INPT0 to INPT3: the charge times of the capacitors.
    charge: [Charge; 4],
    /// INPT4 and INPT5, bit 7.
    fire: [u8; 2],
    /// A port has paddles, so capacitors are charged.
    pub(crate) has_paddles: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Charge {
    /// No paddle is connected.
    Never,
    /// The resistance is 0.
    AtOnce,
    /// CPU cycles.
    Cycles(u32),
}

impl Default for Pins {
    fn default() -> Self {
        Self {
            swcha: 0xFF,
            swchb: 0x3F,
            charge: [Charge::Never; 4],
            fire: [0x80; 2],
            has_paddles: false,
        }
    }
}

impl Pins {
    pub(crate) fn new(input: &Input, wiring: Wiring) -> Self {
        let mut pins = Self {
            swchb: swchb(input.switches),
            ..Self::default()
        };
        for (side, controller) in [wiring.left, wiring.right].into_iter().enumerate() {
            let port = if wiring.swap_ports { 1 - side } else { side };
            match controller {
                Controller::Joystick => pins.connect_joystick(port, input.joysticks[side]),
                Controller::Paddles => {
                    let [first, second] = [input.paddles[2 * side], input.paddles[2 * side + 1]];
                    let pair = if wiring.swap_paddles {
                        [second, first]
                    } else {
                        [first, second]
                    };
                    pins.connect_paddles(port, pair);
                }
            }
        }
        pins
    }

    fn connect_joystick(&mut self, port: usize, joystick: Joystick) {
        let Joystick {
            up,
            down,
            left,
            right,
            fire,
        } = joystick;
        let directions = u8::from(up) | u8::from(down) << 1 | u8::from(left) << 2 | u8::from(right) << 3;
        self.swcha &= !(directions << (4 * (1 - port)));
        self.fire[port] = if fire { 0 } else { 0x80 };
    }

    fn connect_paddles(&mut self, port: usize, paddles: [Paddle; 2]) {
        self.has_paddles = true;
        for (index, paddle) in paddles.into_iter().enumerate() {
            self.charge[2 * port + index] = charge(paddle.resistance);
            if paddle.fire {
                self.swcha &= !([0x80, 0x40][index] >> (4 * port));
            }
        }
    }

    /// INPT0 to INPT5 (0..=5), bit 7.
    pub(crate) fn read(&self, register: usize, cycles: i32, dump: Dump) -> u8 {
        match self.charge.get(register) {
            None => self.fire[register - self.charge.len()],
            Some(Charge::Never) => 0,
            Some(Charge::AtOnce) => 0x80,
            Some(Charge::Cycles(_)) if dump.enabled => 0,
            Some(&Charge::Cycles(needed)) => {
                // Unsigned, as in ALE: a charge that began and ended before the frame reads as not ended.
                if cycles as u32 > (dump.off_cycle as u32).wrapping_add(needed) {
                    0x80
                } else {
                    0
                }
            }
        }
    }
}

fn swchb(switches: Switches) -> u8 {
    0x3F & !u8::from(switches.reset) & !(u8::from(switches.select) << 1) & !(u8::from(switches.black_and_white) << 3)
        | u8::from(switches.left_difficulty_a) << 6
        | u8::from(switches.right_difficulty_a) << 7
}

fn charge(resistance: u32) -> Charge {
    if resistance == 0 {
        return Charge::AtOnce;
    }
    let seconds = 1.6 * f64::from(resistance) * 0.01e-6;
    Charge::Cycles((seconds * 1.19e6) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charge_times_are_those_of_the_paddles_ends() {
        assert_eq!(
            [27_450, 408_823, 790_196].map(charge),
            [522, 7783, 15045].map(Charge::Cycles)
        );
    }

    #[test]
    fn player_a_of_a_swapped_console_is_on_the_right_port() {
        let joystick = Joystick {
            up: true,
            fire: true,
            ..Joystick::default()
        };
        let input = Input {
            joysticks: [joystick, Joystick::default()],
            ..Input::default()
        };
        let pins = Pins::new(
            &input,
            Wiring {
                swap_ports: true,
                ..Wiring::default()
            },
        );
        assert_eq!((pins.swcha, pins.fire), (0xFE, [0x80, 0]));
        let pins = Pins::new(&input, Wiring::default());
        assert_eq!((pins.swcha, pins.fire), (0xEF, [0, 0x80]));
    }

    #[test]
    fn a_paddle_is_charged_after_its_cycles_and_never_while_it_is_discharged() {
        let mut input = Input::default();
        input.paddles[2] = Paddle {
            resistance: 27_450,
            fire: true,
        };
        let wiring = Wiring {
            right: Controller::Paddles,
            ..Wiring::default()
        };
        let pins = Pins::new(&input, wiring);
        // The right port's first paddle: the button is bit 3 of the port, the charge is that of INPT2.
        assert_eq!(pins.swcha, 0xF7);
        let since = |off_cycle| Dump {
            enabled: false,
            off_cycle,
        };
        assert_eq!([722, 723].map(|cycles| pins.read(2, cycles, since(200))), [0, 0x80]);
        let enabled = Dump {
            enabled: true,
            ..since(200)
        };
        assert_eq!(pins.read(2, 10_000, enabled), 0);
    }

    #[test]
    fn idle_switches_read_3f() {
        assert_eq!(swchb(Switches::default()), 0x3F);
        let all = Switches {
            reset: true,
            select: true,
            left_difficulty_a: true,
            right_difficulty_a: true,
            black_and_white: true,
        };
        assert_eq!(swchb(all), 0xF4);
    }
}
