//! The crate as a program of a user sees it: one call that gives the exit code.

use std::ffi::OsString;
use std::thread;

use gym2600_cli::run;

#[test]
fn the_program_runs_in_any_thread_and_gives_its_exit_code() {
    let version: Vec<OsString> = vec!["gym2600".into(), "--version".into()];
    assert_eq!(thread::spawn(|| run(version)).join().expect("a thread that ends"), 0);
    assert_eq!(run(["gym2600", "describe", "no-such-file.bin"]), 1);
    assert_eq!(run(["gym2600", "play"]), 2);
}
