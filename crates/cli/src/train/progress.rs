//! How far a run is, on the terminal; without one a line now and then.

use gym2600_learn::{Learner, Update};
use indicatif::{ProgressBar, ProgressStyle};

/// Steps between two lines where there is no terminal.
const LINE_STEPS: u64 = 25_000;

pub(super) struct Progress {
    bar: ProgressBar,
    shown: u64,
}

impl Progress {
    pub(super) fn new(steps: u64, done: u64) -> Self {
        let bar = ProgressBar::new(steps);
        if let Ok(style) =
            ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} steps, {msg}, {eta} left")
        {
            bar.set_style(style);
        }
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
        eprintln!(
            "{} updates, {} steps, weights {:08x}",
            learner.updates(),
            learner.steps(),
            learner.weights_checksum()
        );
    }
}
