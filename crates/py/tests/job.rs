//! A panic in a job is an error that names its cause, and what it left half changed is never used again.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../src/job.rs"]
mod job;
#[path = "../../arcade/tests/support/limits.rs"]
mod limits;

use std::num::NonZero;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use gym2600_arcade::{Arcade, Settings, WALLOP};
use gym2600_gym::{GameOptions, Info, StepRecord, VectorEnv, VectorOptions};
use job::{Held, JobThread, Missing, attempt, caught};

/// A batch and the observations of its last step.
struct Played {
    envs: VectorEnv,
    observations: Vec<u8>,
    panics: bool,
}

impl Played {
    fn new() -> Self {
        let options = VectorOptions {
            game: GameOptions {
                preset: Some("ale-vector".into()),
                ..GameOptions::default()
            },
            num_envs: 3,
            seeds: None,
        };
        let mut envs = VectorEnv::new(WALLOP, &options).unwrap();
        envs.set_threads(NonZero::new(2).unwrap()).unwrap();
        let mut observations = vec![0; envs.observations_len()];
        envs.reset(None, None, &mut observations, &mut [Info::default(); 3])
            .unwrap();
        Self {
            envs,
            observations,
            panics: false,
        }
    }

    fn step(&mut self) {
        self.envs
            .step(&[1, 2, 3], &mut self.observations, &mut [StepRecord::default(); 3])
            .unwrap();
        assert!(!self.panics, "environment {} is broken", 2);
    }
}

const CAUSE: &str = "environment 2 is broken";

/// Does something in another thread, and fails if it takes long.
fn in_time<R: Send + 'static>(what: impl FnOnce() -> R + Send + 'static) -> R {
    let (done, waiting) = mpsc::channel();
    thread::spawn(move || done.send(what()));
    waiting
        .recv_timeout(limits::hang(Duration::from_mins(1)))
        .expect("it hangs")
}

fn lost<T>() -> Result<T, Missing> {
    Err(Missing::Lost(CAUSE.into()))
}

#[test]
fn a_panic_in_the_thread_is_an_error_of_recv_and_of_all_later_calls() {
    in_time(|| {
        let mut held = Held::Here(Played::new());
        let mut thread = JobThread::start("test", |played: Played| attempt(played, Played::step)).unwrap();
        // A job that goes well comes back.
        thread.send(held.take().unwrap());
        assert!(matches!(held.get(), Err(Missing::Away)));
        held = Held::Here(
            thread
                .recv(|from| from.recv().ok())
                .unwrap_or_else(|message| panic!("{message}")),
        );

        held.get_mut().unwrap().panics = true;
        thread.send(held.take().unwrap());
        let message = thread.recv(|from| from.recv().ok()).err();
        assert_eq!(message.as_deref(), Some(CAUSE));
        held.lose(message.unwrap_or_default());
        for _ in 0..2 {
            assert_eq!(held.get().map(drop), lost());
            assert_eq!(held.take().map(drop), lost());
            assert_eq!(held.change(Played::step), lost());
        }

        // The thread itself does the jobs of another batch.
        thread.send(Played::new());
        assert!(thread.recv(|from| from.recv().ok()).is_ok());
        drop(thread);
    });
}

#[test]
fn a_panic_in_the_caller_s_thread_leaves_no_batch() {
    in_time(|| {
        let mut held = Held::Here(Played::new());
        assert_eq!(held.change(Played::step), Ok(()));
        held.get_mut().unwrap().panics = true;
        for _ in 0..2 {
            assert_eq!(held.change(Played::step), lost());
        }
        assert_eq!(held.get_mut().map(drop), lost());
    });
}

#[test]
fn a_job_can_be_taken_back_until_the_thread_begins_it() {
    in_time(|| {
        let (begun, begins) = mpsc::channel();
        let (go_on, goes_on) = mpsc::channel();
        let mut thread = JobThread::start("test", move |job: u8| {
            begun.send(job).unwrap();
            goes_on.recv().unwrap();
            Ok(job)
        })
        .unwrap();
        thread.send(1);
        assert_eq!(begins.recv(), Ok(1));
        assert_eq!(thread.take_back(), None);
        thread.send(2);
        assert_eq!(thread.take_back(), Some(2));
        thread.send(3);
        for _ in 0..2 {
            go_on.send(()).unwrap();
        }
        let found = [(); 2].map(|()| thread.recv(|from| from.recv().ok()));
        assert_eq!(found, [Ok(1), Ok(3)]);
    });
}

#[test]
fn a_thread_that_has_ended_is_an_error_of_recv() {
    in_time(|| {
        let mut thread =
            JobThread::start("test", |()| -> Result<(), String> { panic!("outside of an attempt") }).unwrap();
        for _ in 0..2 {
            thread.send(());
            assert_eq!(thread.recv(|from| from.recv().ok()), Err("the thread has ended".into()));
        }
        assert!(thread.is_here());
    });
}

#[test]
fn a_panic_while_a_value_is_made_is_an_error() {
    assert_eq!(caught(|| 7), Ok(7));
    assert_eq!(caught(|| -> i32 { panic!("{CAUSE}") }), Err(CAUSE.into()));
}

#[test]
fn a_panic_leaves_no_console() {
    let mut held = Held::Here(Arcade::load(WALLOP, &Settings::default()).unwrap());
    assert_eq!(held.change(Arcade::reset_game), Ok(()));
    let job = |arcade: &mut Arcade| {
        arcade.reset_game();
        panic!("{CAUSE}")
    };
    assert_eq!(held.change(job), lost::<()>());
    assert_eq!(held.change(|arcade| arcade.lives()), lost());
    assert_eq!(held.get().map(drop), lost());
}

#[test]
fn a_panic_may_have_any_message() {
    assert_eq!(attempt((), |()| panic!("text")), Err("text".into()));
    assert_eq!(attempt((), |()| panic!("{}", 7)), Err("7".into()));
    let message = attempt((), |()| std::panic::panic_any(7)).unwrap_err();
    assert_eq!(message, "a panic without a message");
}
