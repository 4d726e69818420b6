//! How far a run is, on the terminal; without one a line now and then.

use gym2600_learn::{Learner, Update};
use indicatif::{ProgressBar, ProgressStyle};

/// Steps between two lines where there is no terminal.
const LINE_STEPS: u64 = 25_000;
/// The row of a terminal. At 80 columns the bar has ten cells or more in a run of a million steps.
const ROW: &str = "{wide_bar} {pos}/{len}, {msg}, {eta} left";

pub(super) struct Progress {
    bar: ProgressBar,
    shown: u64,
}

impl Progress {
    pub(super) fn new(steps: u64, done: u64) -> Self {
        let bar = ProgressBar::new(steps);
        bar.set_style(ProgressStyle::with_template(ROW).expect("the row is a template"));
        bar.set_position(done);
        bar.reset_eta();
        Self { bar, shown: done }
    }

    pub(super) fn show(&mut self, update: &Update, steps_per_second: f64) {
        let score = match (update.reward, update.length) {
            (Some(reward), Some(length)) => format!("score {reward:.1} in {length:.0}"),
            _ => "no game ended yet".to_owned(),
        };
        let message = format!("{score}, entropy {:.2}, {steps_per_second:.0}/s", update.entropy);
        self.bar.set_position(update.steps);
        if self.bar.is_hidden() && update.steps / LINE_STEPS != self.shown / LINE_STEPS {
            eprintln!("{} steps, {message}", update.steps);
        }
        self.shown = update.steps;
        self.bar.set_message(message);
    }

    pub(super) fn finish(self, learner: &Learner) {
        self.bar.abandon();
        if !self.bar.is_hidden() {
            eprintln!();
        }
        let updates = learner.updates();
        eprintln!(
            "{updates} update{}, {} steps, weights {:08x}",
            if updates == 1 { "" } else { "s" },
            learner.steps(),
            learner.weights_checksum()
        );
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal of 80 columns that keeps what is written to it.
    #[derive(Debug, Default, Clone)]
    struct Terminal(Arc<Mutex<String>>);

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_row_of_80_columns_has_a_bar_of_ten_cells() {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let bar = ProgressBar::with_draw_target(Some(1_000_000), target);
        bar.set_style(ProgressStyle::with_template(ROW).unwrap());
        bar.set_position(1_000_000);
        bar.set_message("score 13.5 in 106, entropy 1.37, 12345/s");
        bar.tick();
        let row = terminal.0.lock().unwrap();
        let row = row.trim_end();
        assert!(
            row.ends_with(" 1000000/1000000, score 13.5 in 106, entropy 1.37, 12345/s, 0s left"),
            "{row}"
        );
        assert!(row.chars().count() <= 80 && row.matches('█').count() >= 10, "{row}");
    }
}
