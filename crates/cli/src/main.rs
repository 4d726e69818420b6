//! The program `gym2600`.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    gym2600_cli::run(env::args_os()).into()
}
