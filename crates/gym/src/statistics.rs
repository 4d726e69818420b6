//! Summaries over a batch of environments, written when each of them has ended an episode.

use std::collections::VecDeque;

/// A target of summaries, such as a chart, a log or an event file.
pub trait ScalarWriter {
    /// Takes one value of a series at a step.
    fn scalar(&mut self, name: &str, value: f64, step: u64);
}

/// One environment's running and finished episodes.
#[derive(Debug, Clone, Default)]
struct LaneEpisodes {
    reward: f64,
    /// The steps before the environment's first end since the last summary.
    length: u64,
    ended: bool,
    finished: VecDeque<f64>,
}

/// The summaries of `TFSummaries`: total reward, its mean over the last episodes, episode length, and the least and greatest total
/// reward over the batch.
///
/// Summaries are written when every environment has ended an episode since the last time. If an environment has ended several, the
/// total counts its last one, the mean all of them, and the length its first one.
#[derive(Debug, Clone)]
pub struct Summaries {
    prefix: String,
    window: usize,
    lanes: Vec<LaneEpisodes>,
    step: u64,
}

impl Summaries {
    /// Summaries of `lanes` environments, named `prefix/..`, with means over the last 100 episodes.
    pub fn new(prefix: impl Into<String>, lanes: usize) -> Self {
        Self::with_window(prefix, lanes, 100)
    }

    /// As [`Summaries::new`], with means over the last `window` episodes.
    pub fn with_window(prefix: impl Into<String>, lanes: usize, window: usize) -> Self {
        Self {
            prefix: prefix.into(),
            window: window.max(1),
            lanes: vec![LaneEpisodes::default(); lanes],
            step: 0,
        }
    }

    /// Records a step of every environment, with its reward and whether its game ended. Writes the summaries if they are due.
    ///
    /// The written step number counts the steps of all environments.
    pub fn record(&mut self, steps: impl IntoIterator<Item = (f64, bool)>, writer: &mut dyn ScalarWriter) {
        for (lane, (reward, ended)) in self.lanes.iter_mut().zip(steps) {
            lane.reward += reward;
            if !lane.ended {
                lane.length += 1;
            }
            if ended {
                lane.ended = true;
                if lane.finished.len() == self.window {
                    lane.finished.pop_front();
                }
                lane.finished.push_back(lane.reward);
                lane.reward = 0.0;
            }
        }
        self.step += self.lanes.len() as u64;
        if !self.lanes.is_empty() && self.lanes.iter().all(|lane| lane.ended) {
            self.write(writer);
        }
    }

    /// Drops the running episodes, for a reset of the whole batch. The finished ones stay in the means.
    pub fn reset(&mut self) {
        for lane in &mut self.lanes {
            lane.reward = 0.0;
            lane.length = 0;
            lane.ended = false;
        }
    }

    fn write(&mut self, writer: &mut dyn ScalarWriter) {
        let latest: Vec<f64> = self
            .lanes
            .iter()
            .filter_map(|lane| lane.finished.back().copied())
            .collect();
        let means = self.lanes.iter().map(|lane| mean(lane.finished.iter().copied()));
        let lengths = self.lanes.iter().map(|lane| lane.length as f64);
        let mut values = vec![
            ("total_reward".into(), mean(latest.iter().copied())),
            (format!("reward_mean_{}", self.window), mean(means)),
            ("episode_length".to_owned(), mean(lengths)),
        ];
        if latest.len() > 1 {
            values.push((
                "min_reward".into(),
                latest.iter().copied().fold(f64::INFINITY, f64::min),
            ));
            values.push((
                "max_reward".into(),
                latest.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ));
        }
        for (name, value) in values {
            writer.scalar(&format!("{}/{name}", self.prefix), value, self.step);
        }
        for lane in &mut self.lanes {
            lane.length = 0;
            lane.ended = false;
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Log(Vec<(String, f64, u64)>);

    impl ScalarWriter for Log {
        fn scalar(&mut self, name: &str, value: f64, step: u64) {
            self.0.push((name.into(), value, step));
        }
    }

    #[test]
    fn nothing_is_written_until_every_environment_has_ended_an_episode() {
        let mut summaries = Summaries::new("Pong", 2);
        let mut log = Log::default();
        summaries.record([(1.0, false), (2.0, true)], &mut log);
        summaries.record([(1.0, false), (5.0, true)], &mut log);
        assert!(log.0.is_empty());
        summaries.record([(1.0, true), (7.0, false)], &mut log);
        let named = |name: &str| format!("Pong/{name}");
        assert_eq!(
            log.0,
            [
                (named("total_reward"), 4.0, 6),
                (named("reward_mean_100"), 3.25, 6),
                (named("episode_length"), 2.0, 6),
                (named("min_reward"), 3.0, 6),
                (named("max_reward"), 5.0, 6),
            ]
        );
    }

    #[test]
    fn the_mean_forgets_episodes_beyond_its_window() {
        let mut summaries = Summaries::with_window("x", 1, 2);
        let mut log = Log::default();
        for reward in [1.0, 2.0, 4.0] {
            summaries.record([(reward, true)], &mut log);
        }
        let means: Vec<f64> = log
            .0
            .iter()
            .filter(|entry| entry.0 == "x/reward_mean_2")
            .map(|entry| entry.1)
            .collect();
        assert_eq!(means, [1.0, 1.5, 3.0]);
    }

    #[test]
    fn a_reset_of_the_batch_forgets_running_episodes() {
        let mut summaries = Summaries::new("x", 1);
        let mut log = Log::default();
        summaries.record([(9.0, false)], &mut log);
        summaries.reset();
        summaries.record([(1.0, true)], &mut log);
        assert_eq!(log.0[0], ("x/total_reward".into(), 1.0, 2));
        assert_eq!(log.0[2], ("x/episode_length".into(), 1.0, 2));
    }
}
