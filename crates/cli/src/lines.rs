//! The lines of output. The npm package's program prints the same bytes. The rules:
//!
//! * A line is a JSON object and a line feed, without spaces. Keys have the order of the structures here.
//! * A checksum is zlib's CRC-32 as a string of eight lower-case hexadecimal digits.
//! * Counts, rewards of ALE and `lives` are integers. Rewards of environments are real numbers: [`real`] writes `1.0`, not `1`.
//! * With several environments every value is an array with an entry for each.

use std::io::{self, Write};

/// A line of `trace`: the state after a reset or after an action.
pub(crate) struct TraceLine<'a> {
    /// Actions played.
    pub(crate) frame: usize,
    pub(crate) reward: i32,
    pub(crate) lives: i32,
    pub(crate) over: bool,
    pub(crate) ram: &'a [u8; 128],
    pub(crate) screen: &'a [u8],
    /// The checksum of the sound, if requested.
    pub(crate) sound: Option<&'a [u8]>,
    pub(crate) after: After,
}

/// The event before a line of `trace`. A reset adds `"reset":true` at the end of the line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    Reset,
    Action,
}

impl TraceLine<'_> {
    pub(crate) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let Self {
            frame,
            reward,
            lives,
            over,
            ..
        } = self;
        let ram = crc32fast::hash(self.ram);
        let screen = crc32fast::hash(self.screen);
        let sound = self.sound.map_or_else(String::new, |samples| {
            format!(",\"sound\":\"{:08x}\"", crc32fast::hash(samples))
        });
        let reset = if self.after == After::Reset {
            ",\"reset\":true"
        } else {
            ""
        };
        writeln!(
            output,
            "{{\"frame\":{frame},\"reward\":{reward},\"lives\":{lives},\"over\":{over},\
             \"ram\":\"{ram:08x}\",\"screen\":\"{screen:08x}\"{sound}{reset}}}"
        )
    }
}

/// The result of a reset (step 0) or a step of one environment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RolloutEntry {
    pub(crate) step: usize,
    pub(crate) reward: f64,
    pub(crate) terminated: bool,
    pub(crate) truncated: bool,
    pub(crate) lives: i32,
    /// CRC-32 of the observation.
    pub(crate) observation: u32,
    /// Reward and length of the episode that this step ended.
    pub(crate) episode: Option<(f64, u32)>,
}

/// Writes the line of `rollout` for one environment.
pub(crate) fn write_rollout(output: &mut impl Write, entry: &RolloutEntry) -> io::Result<()> {
    write_fields(output, |field| field.of(entry))
}

/// Writes the line of `rollout` for several environments.
pub(crate) fn write_rollout_vector(output: &mut impl Write, entries: &[RolloutEntry]) -> io::Result<()> {
    write_fields(output, |field| {
        let values: Vec<String> = entries.iter().map(|entry| field.of(entry)).collect();
        format!("[{}]", values.join(","))
    })
}

fn write_fields(output: &mut impl Write, value: impl Fn(RolloutField) -> String) -> io::Result<()> {
    let fields: Vec<String> = RolloutField::ALL
        .iter()
        .map(|&field| format!("\"{}\":{}", field.name(), value(field)))
        .collect();
    writeln!(output, "{{{}}}", fields.join(","))
}

#[derive(Clone, Copy)]
enum RolloutField {
    Step,
    Reward,
    Terminated,
    Truncated,
    Lives,
    Observation,
    Episode,
}

impl RolloutField {
    /// In the order of the line.
    const ALL: [Self; 7] = [
        Self::Step,
        Self::Reward,
        Self::Terminated,
        Self::Truncated,
        Self::Lives,
        Self::Observation,
        Self::Episode,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Reward => "reward",
            Self::Terminated => "terminated",
            Self::Truncated => "truncated",
            Self::Lives => "lives",
            Self::Observation => "obs",
            Self::Episode => "episode",
        }
    }

    fn of(self, entry: &RolloutEntry) -> String {
        match self {
            Self::Step => entry.step.to_string(),
            Self::Reward => real(entry.reward),
            Self::Terminated => entry.terminated.to_string(),
            Self::Truncated => entry.truncated.to_string(),
            Self::Lives => entry.lives.to_string(),
            Self::Observation => format!("\"{:08x}\"", entry.observation),
            Self::Episode => entry.episode.map_or_else(
                || "null".to_owned(),
                |(reward, length)| format!("{{\"reward\":{},\"length\":{length}}}", real(reward)),
            ),
        }
    }
}

/// A real number with at least one digit after the point: the shortest decimal that reads back as `value`.
///
/// For rewards (0, or from 1e-5 to 1e16) it equals Python's `repr`, and in
/// JavaScript `Number.isInteger(value) ? value.toFixed(1) : String(value)`.
fn real(value: f64) -> String {
    // A sum of rewards can be -0.0, which is printed as 0.0.
    let value = if value == 0.0 { 0.0 } else { value };
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut output = Vec::new();
        write(&mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn a_trace_line_has_its_keys_in_the_documented_order() {
        let mut line = TraceLine {
            frame: 3,
            reward: -2,
            lives: 5,
            over: false,
            ram: &[0; 128],
            screen: b"123456789",
            sound: None,
            after: After::Action,
        };
        assert_eq!(
            text(|output| line.write(output)),
            "{\"frame\":3,\"reward\":-2,\"lives\":5,\"over\":false,\"ram\":\"c2a8fa9d\",\"screen\":\"cbf43926\"}\n"
        );
        line.sound = Some(b"123456789");
        assert!(text(|output| line.write(output)).ends_with("\"screen\":\"cbf43926\",\"sound\":\"cbf43926\"}\n"));
        line.sound = None;
        line.after = After::Reset;
        assert!(text(|output| line.write(output)).ends_with("\"screen\":\"cbf43926\",\"reset\":true}\n"));
    }

    #[test]
    fn a_rollout_line_has_its_keys_in_the_documented_order() {
        let entry = RolloutEntry {
            step: 1,
            reward: 0.0,
            terminated: false,
            truncated: false,
            lives: 5,
            observation: 0xf,
            episode: None,
        };
        assert_eq!(
            text(|output| write_rollout(output, &entry)),
            "{\"step\":1,\"reward\":0.0,\"terminated\":false,\"truncated\":false,\"lives\":5,\"obs\":\"0000000f\",\"episode\":null}\n"
        );
    }

    #[test]
    fn with_several_environments_every_value_is_an_array() {
        let first = RolloutEntry {
            step: 9,
            reward: 1.0,
            terminated: true,
            truncated: false,
            lives: 0,
            observation: 1,
            episode: Some((12.0, 345)),
        };
        let second = RolloutEntry {
            terminated: false,
            episode: None,
            ..first.clone()
        };
        assert_eq!(
            text(|output| write_rollout_vector(output, &[first, second])),
            "{\"step\":[9,9],\"reward\":[1.0,1.0],\"terminated\":[true,false],\"truncated\":[false,false],\"lives\":[0,0],\
             \"obs\":[\"00000001\",\"00000001\"],\"episode\":[{\"reward\":12.0,\"length\":345},null]}\n"
        );
    }

    #[test]
    fn a_real_number_always_shows_its_point() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "0.0"),
            (1.0, "1.0"),
            (-300.0, "-300.0"),
            (0.5, "0.5"),
            (0.1, "0.1"),
            (12345678.0, "12345678.0"),
        ] {
            assert_eq!(real(value), expected);
        }
    }
}
