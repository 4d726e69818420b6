//! How far a run is, on the terminal; without one a line now and then.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use gym2600_learn::{Learner, Update};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Steps between two lines where there is no terminal, and the longest time but for that of an update.
const LINE_STEPS: u64 = 25_000;
const LINE_PERIOD: Duration = Duration::from_secs(30);
/// The row of a terminal. At 80 columns the bar has ten cells or more in a run of a million steps.
const ROW: &str = "{wide_bar} {pos}/{len}, {msg}, {eta} left";
/// The row before the first update, whose time nothing tells.
const FIRST_ROW: &str = "{wide_bar} {pos}/{len}, the first update runs";

pub(super) struct Progress {
    bar: ProgressBar,
    steps: u64,
    /// Steps of the run before, and when it began.
    first: u64,
    start: Instant,
    /// Steps of the last update, and when the last line was printed.
    shown: u64,
    told: Instant,
}

impl Progress {
    pub(super) fn new(steps: u64, done: u64) -> Self {
        let bar = ProgressBar::new(steps);
        bar.set_style(style(FIRST_ROW));
        bar.set_position(done);
        bar.reset_eta();
        bar.tick();
        let start = Instant::now();
        Self {
            bar,
            steps,
            first: done,
            start,
            shown: done,
            told: start,
        }
    }

    /// Does what may print lines, without the bar in their way.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// `doubt` is what may be wrong with the game.
    pub(super) fn show(&mut self, update: &Update, steps_per_second: f64, doubt: Option<&str>) {
        let score = match (update.reward, update.length) {
            (Some(reward), Some(length)) => format!("score {reward:.1} in {length:.0}"),
            _ => "no game ended yet".to_owned(),
        };
        let is_first = self.shown == self.first;
        let doubtful = doubt.map_or_else(String::new, |doubt| format!(", {doubt}"));
        let message = format!(
            "{score}{doubtful}, entropy {:.2}, {steps_per_second:.0}/s",
            update.entropy
        );
        if is_first {
            self.bar.set_style(style(ROW));
        }
        self.bar.set_position(update.steps);
        let is_due = update.steps / LINE_STEPS != self.shown / LINE_STEPS || self.told.elapsed() >= LINE_PERIOD;
        if self.bar.is_hidden() && (is_due || (is_first && doubt.is_some())) {
            say(&format!(
                "{} steps, {message}, {:#} left",
                update.steps,
                HumanDuration(self.left(update.steps))
            ));
            self.told = Instant::now();
        }
        self.shown = update.steps;
        self.bar.set_message(message);
    }

    /// The time that the rest of the run takes at the speed until now.
    fn left(&self, steps: u64) -> Duration {
        let share = self.steps.saturating_sub(steps) as f64 / (steps - self.first).max(1) as f64;
        self.start.elapsed().mul_f64(share)
    }

    pub(super) fn finish(self, learner: &Learner) {
        self.bar.abandon();
        let updates = learner.updates();
        let end = if self.bar.is_hidden() { "" } else { "\n" };
        say(&format!(
            "{end}{updates} update{}, {} steps, weights {:08x}",
            if updates == 1 { "" } else { "s" },
            learner.steps(),
            learner.weights_checksum()
        ));
    }
}

fn style(row: &str) -> ProgressStyle {
    ProgressStyle::with_template(row).expect("a row is a template")
}

/// A line on the standard error. A run goes on where that has been closed.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
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
        bar.set_style(style(FIRST_ROW));
        bar.tick();
        assert!(
            terminal
                .0
                .lock()
                .unwrap()
                .ends_with(" 0/1000000, the first update runs")
        );
        bar.set_style(style(ROW));
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
