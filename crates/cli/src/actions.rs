//! The ACTIONS file: a decimal number on each line. Spaces around it and empty lines are ignored.

use crate::error::CliError;
use crate::load;

/// Reads the actions in `path` (`-` is the standard input). Each must be below `count`.
///
/// The whole file is checked before the first action is played, so that an error prints no lines.
pub(crate) fn read(path: &str, count: usize) -> Result<Vec<u32>, CliError> {
    parse(&load::text(path)?, path, count)
}

fn parse(text: &str, path: &str, count: usize) -> Result<Vec<u32>, CliError> {
    let mut actions = Vec::with_capacity(text.len() / 2);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        match line.parse::<u32>() {
            Ok(action) if (action as usize) < count => actions.push(action),
            _ => {
                return Err(CliError::Action {
                    path: path.to_owned(),
                    line: index + 1,
                    text: line.to_owned(),
                    last: count.saturating_sub(1),
                });
            }
        }
    }
    Ok(actions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_one_a_line_and_empty_lines_do_not_matter() {
        assert_eq!(parse("0\n 17 \r\n\n3", "a", 18).unwrap(), [0, 17, 3]);
        assert_eq!(parse("", "a", 18).unwrap(), [0; 0]);
    }

    #[test]
    fn a_bad_action_is_named_with_its_line() {
        for (text, expected) in [
            (
                "0\n18\n",
                "a, line 2: \"18\" is no action: expected a number from 0 to 17",
            ),
            (
                "\n\nfire",
                "a, line 3: \"fire\" is no action: expected a number from 0 to 17",
            ),
            ("-1", "a, line 1: \"-1\" is no action: expected a number from 0 to 17"),
            ("1.5", "a, line 1: \"1.5\" is no action: expected a number from 0 to 17"),
            (
                "99999999999",
                "a, line 1: \"99999999999\" is no action: expected a number from 0 to 17",
            ),
        ] {
            assert_eq!(parse(text, "a", 18).unwrap_err().to_string(), expected);
        }
    }
}
