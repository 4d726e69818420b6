//! The crate as a program of a user sees it: errors, threads, the order of calls, a ROM of one's own.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::cell::Cell;
use std::error::Error;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use gym2600_gym::{Game, GameOptions};
use gym2600_learn::{
    Algorithm, Arithmetic, Choice, Collected, Config, Evaluation, GameTraits, LearnError, Learner, MinibatchAt,
    Outcome, Play, Policy, Rom, SHARDS, Shard, Trainer,
};
use support::{WALLOP, run, small, threads};

mod support;

const FIRST: MinibatchAt = MinibatchAt { epoch: 0, minibatch: 0 };

fn config() -> Config {
    small(Algorithm::Ppo, 1)
}

fn trainer() -> Trainer {
    Trainer::new(WALLOP, &config(), threads(1)).unwrap()
}

/// The call and what has to come before it.
fn order<T: std::fmt::Debug>(result: Result<T, LearnError>) -> (&'static str, &'static str) {
    match result.unwrap_err() {
        LearnError::Order { call, after } => (call, after),
        error => panic!("{error}"),
    }
}

#[test]
fn errors_pass_through_a_question_mark_and_say_what_is_wrong() {
    fn train(rom: &[u8], name: &str, value: &str) -> Result<Trainer, Box<dyn Error>> {
        let mut config = config();
        config.hyper_parameters.set(name, value)?;
        Ok(Trainer::new(rom, &config, threads(1))?)
    }
    let refusal = |rom, name, value| train(rom, name, value).unwrap_err().to_string();
    assert!(refusal(&[0; 3], "gamma", "0.5").contains("3 bytes"));
    assert!(refusal(WALLOP, "gama", "0.5").starts_with("gama"));
    assert!(refusal(WALLOP, "gamma", "2").starts_with("gamma"));
    let error: Box<dyn Error + Send + Sync> = Policy::load(&[1, 2, 3]).unwrap_err().into();
    assert!(error.to_string().contains("no file"));
    assert!(Trainer::<Game>::resume(WALLOP, &[], threads(1)).is_err());
}

#[test]
fn the_second_half_of_an_update_follows_the_first() {
    let mut trainer = trainer();
    assert_eq!(order(trainer.learn()), ("Trainer::learn", "a rollout"));
    assert_eq!(order(trainer.step(FIRST)).1, "a rollout");
    assert_eq!(order(trainer.gradient(FIRST)).1, "a rollout");
    assert_eq!(order(trainer.minibatch(FIRST)).1, "a rollout");
    assert_eq!(order(trainer.finish()).1, "a rollout");
    trainer.play().unwrap();
    assert_eq!(order(trainer.finish()), ("Learner::finish", "all gradient steps"));
    let beyond = MinibatchAt { epoch: 0, minibatch: 4 };
    assert!(matches!(trainer.step(beyond), Err(LearnError::Option { .. })));
    assert_eq!(trainer.learn().unwrap().update, 1);
    assert_eq!(order(trainer.learn()).1, "a rollout");
    assert_eq!(trainer.update().unwrap().update, 2);
}

#[test]
fn shards_and_learners_say_the_order_of_their_calls() {
    let mut learner = Learner::new(WALLOP, &config()).unwrap();
    let mut shard = Shard::new(WALLOP, &config(), 0, Arithmetic::Exact).unwrap();
    assert_eq!(order(shard.collect(1)), ("Shard::collect", "Shard::set_parameters"));
    assert!(shard.set_parameters(&[0.0]).is_err());
    shard.set_parameters(learner.parameters()).unwrap();
    assert_eq!(order(shard.gradient(FIRST, 0.0, 1.0)).0, "Shard::gradient");
    assert!(Shard::new(WALLOP, &config(), SHARDS, Arithmetic::Exact).is_err());

    let gradient = vec![0.0; learner.parameters().len()];
    assert_eq!(order(learner.normalisation(FIRST)).0, "Learner::normalisation");
    assert_eq!(order(learner.apply_sum(gradient, &[])).0, "Learner::apply_sum");
    assert_eq!(order(learner.finish()).0, "Learner::finish");
    let nothing: [Collected; SHARDS] = Default::default();
    assert!(matches!(learner.begin(nothing), Err(LearnError::Misfit { .. })));
    let collected = shard.collect(1).unwrap().clone();
    learner.begin(std::array::from_fn(|_| collected.clone())).unwrap();
    assert!(learner.apply_sum(vec![0.0], &[]).is_err());
    assert!(shard.gradient(FIRST, 0.0, 1.0).is_ok());
}

#[test]
fn a_rollout_that_has_not_ended_gives_no_gradients() {
    let learner = Learner::new(WALLOP, &config()).unwrap();
    let mut shard = Shard::new(WALLOP, &config(), 0, Arithmetic::Exact).unwrap();
    shard.begin(1);
    assert_eq!(order(shard.play_rest()), ("Shard::play_rest", "Shard::set_parameters"));
    let mut shard = Shard::new(WALLOP, &config(), 0, Arithmetic::Exact).unwrap();
    shard.set_parameters(learner.parameters()).unwrap();
    assert_eq!(order(shard.play_rest()), ("Shard::play_rest", "Shard::begin"));
    shard.collect(1).unwrap();
    shard.begin(2);
    assert!(shard.card_steps().is_empty());
    assert_eq!(order(shard.gradient(FIRST, 0.0, 1.0)).0, "Shard::gradient");
    assert_eq!(order(shard.advance(0, 1, &[])).0, "Shard::advance");
    let none = shard.advance(0, 0, &[]);
    assert!(matches!(none, Err(LearnError::Misfit { .. })));
    assert_eq!(order(shard.end()).0, "Shard::end");
    assert!(matches!(shard.restore(&[]), Err(LearnError::Misfit { .. })));
    shard.collect(2).unwrap();
    assert!(shard.gradient(FIRST, 0.0, 1.0).is_ok());
}

/// WALLOP that counts its games.
struct Counted(Cell<usize>);

impl Rom for Counted {
    type Game = Game;
    type Error = LearnError;

    fn traits(&self, options: &GameOptions) -> Result<GameTraits, LearnError> {
        WALLOP.traits(options)
    }

    fn open(&self, options: &GameOptions) -> Result<Game, LearnError> {
        self.0.set(self.0.get() + 1);
        WALLOP.open(options)
    }
}

#[test]
fn a_trainer_takes_a_rom_of_ones_own() {
    let rom = Counted(Cell::new(0));
    let mut ours = Trainer::new(&rom, &config(), threads(1)).unwrap();
    assert_eq!(rom.0.get(), 8);
    let mut theirs = Trainer::new(&WALLOP.to_vec(), &config(), threads(1)).unwrap();
    assert_eq!(ours.update().unwrap(), theirs.update().unwrap());
    assert!(ours.checkpoint().unwrap() == theirs.checkpoint().unwrap());
}

/// WALLOP whose games wait for each other in their first steps.
#[derive(Default)]
struct Meeting {
    games: usize,
    here: Arc<(Mutex<usize>, Condvar)>,
}

struct MeetingGame {
    game: Game,
    games: usize,
    here: Arc<(Mutex<usize>, Condvar)>,
}

impl Rom for Meeting {
    type Game = MeetingGame;
    type Error = LearnError;

    fn traits(&self, options: &GameOptions) -> Result<GameTraits, LearnError> {
        WALLOP.traits(options)
    }

    fn open(&self, options: &GameOptions) -> Result<MeetingGame, LearnError> {
        Ok(MeetingGame {
            game: WALLOP.open(options)?,
            games: self.games,
            here: Arc::clone(&self.here),
        })
    }
}

impl Play for MeetingGame {
    type Error = LearnError;

    fn traits(&self) -> GameTraits {
        Play::traits(&self.game)
    }

    fn reset(&mut self, observation: &mut [u8]) -> Result<(), LearnError> {
        Play::reset(&mut self.game, observation)
    }

    fn step(&mut self, action: u32, observation: &mut [u8]) -> Result<Outcome, LearnError> {
        let (here, changed) = &*self.here;
        let mut here = here.lock().unwrap();
        *here += 1;
        changed.notify_all();
        let all = self.games;
        let waited = changed.wait_timeout_while(here, Duration::from_mins(1), |here| *here < all);
        let (here, waited) = waited.unwrap();
        assert!(!waited.timed_out(), "{here} of {all} games play at the same time");
        drop(here);
        Play::step(&mut self.game, action, observation)
    }

    fn observe(&mut self, observation: &mut [u8]) -> Result<(), LearnError> {
        Play::observe(&mut self.game, observation)
    }

    fn save(&mut self) -> Result<Vec<u8>, LearnError> {
        Play::save(&mut self.game)
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), LearnError> {
        Play::restore(&mut self.game, state)
    }
}

#[test]
fn as_many_games_play_at_the_same_time_as_there_are_threads() {
    let rom = Meeting {
        games: 2 * SHARDS,
        ..Meeting::default()
    };
    assert_eq!(config().envs, rom.games);
    let mut trainer = Trainer::new(&rom, &config(), threads(rom.games)).unwrap();
    trainer.play().unwrap();
}

#[test]
fn trainers_and_policies_move_to_other_threads() {
    let mut trainer = trainer();
    let weights = thread::spawn(move || {
        run(&mut trainer, 1);
        trainer.learner().weights().unwrap()
    });
    let weights = weights.join().unwrap();
    let [ours, theirs] = [(); 2].map(|()| Policy::load(&weights).unwrap());
    let play = |policy| {
        let choice = Choice::Sampled { seed: 2 };
        let mut evaluation = Evaluation::new(policy, WALLOP, &GameOptions::default(), 1, choice).unwrap();
        assert!(format!("{evaluation:?}").contains("wallop"));
        evaluation.episode().unwrap()
    };
    let theirs = thread::spawn(move || play(theirs));
    assert_eq!(play(ours), theirs.join().unwrap());
}

#[test]
fn what_is_large_is_shown_without_its_numbers() {
    let trainer = trainer();
    let shown = format!("{trainer:?} {:?}", trainer.learner());
    assert!(shown.contains("wallop") && shown.len() < 5000, "{shown}");
    let shard = Shard::<Game>::new(WALLOP, &config(), 1, Arithmetic::Exact).unwrap();
    assert!(format!("{shard:?}").len() < 200);
}
