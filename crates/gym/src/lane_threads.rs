//! Plays the environments of a batch, in the caller's thread or in the threads of a pool too.
//!
//! Each thread takes the next environment until none is left, so a thread with quick environments plays more of them.
//!
//! Invariant: no result depends on the threads, because environments share only caches that change no result.

use crate::error::GymError;

/// The threads that play a batch: the caller's, and those of a pool if there is one.
#[derive(Default)]
pub(crate) struct LaneThreads {
    #[cfg(feature = "threads")]
    pool: Option<pool::LanePool>,
}

impl LaneThreads {
    /// Calls `play` for each environment with its number. Returns the error of the first environment that failed.
    #[cfg_attr(not(feature = "threads"), allow(clippy::unused_self, reason = "there is no pool"))]
    pub(crate) fn run<I>(
        &mut self,
        games: I,
        play: impl Fn(I::Item) -> Result<(), GymError> + Sync,
    ) -> Result<(), GymError>
    where
        I: Iterator<Item: Send> + Send,
    {
        #[cfg(feature = "threads")]
        if let Some(pool) = &mut self.pool {
            return pool.run(games, &play);
        }
        let mut games = games;
        games.try_for_each(play)
    }

    /// Plays on `threads` threads from now on, the caller's among them.
    #[cfg(feature = "threads")]
    pub(crate) fn set_threads(&mut self, threads: std::num::NonZero<usize>) -> Result<(), GymError> {
        self.pool = match threads.get() - 1 {
            0 => None,
            count => Some(pool::LanePool::new(count)?),
        };
        Ok(())
    }
}

#[cfg(feature = "threads")]
mod pool {
    use std::mem;
    use std::process;
    use std::sync::{Arc, Mutex, PoisonError};

    use rayon::{ThreadPool, ThreadPoolBuilder};

    use crate::error::GymError;

    /// A pool of threads.
    pub(super) struct LanePool {
        pool: Arc<ThreadPool>,
        count: usize,
        /// The process that made the pool. A child of `fork` has its memory without its threads.
        process: u32,
    }

    /// The environments that no thread has taken yet, and the first error.
    struct Turns<I> {
        games: I,
        taken: usize,
        error: Option<(usize, GymError)>,
    }

    impl LanePool {
        pub(super) fn new(count: usize) -> Result<Self, GymError> {
            let pool = ThreadPoolBuilder::new()
                .num_threads(count)
                .thread_name(|number| format!("gym2600-{number}"))
                .build()
                .map_err(|error| GymError::Option {
                    option: "threads",
                    reason: error.to_string(),
                })?;
            Ok(Self {
                pool: Arc::new(pool),
                count,
                process: process::id(),
            })
        }

        pub(super) fn run<I>(
            &mut self,
            games: I,
            play: &(impl Fn(I::Item) -> Result<(), GymError> + Sync),
        ) -> Result<(), GymError>
        where
            I: Iterator<Item: Send> + Send,
        {
            if self.process != process::id() {
                *self = Self::new(self.count)?;
            }
            let turns = Mutex::new(Turns {
                games,
                taken: 0,
                error: None,
            });
            let work = || {
                while let Some((number, game)) = next(&turns) {
                    if let Err(error) = play(game) {
                        note(&turns, number, error);
                    }
                }
            };
            self.pool.in_place_scope(|scope| {
                for _ in 0..self.count {
                    scope.spawn(|_| work());
                }
                work();
            });
            let turns = turns.into_inner().unwrap_or_else(PoisonError::into_inner);
            turns.error.map_or(Ok(()), |(_, error)| Err(error))
        }
    }

    impl Drop for LanePool {
        fn drop(&mut self) {
            if self.process != process::id() {
                // Dropping a pool takes locks of its threads. Without the threads these are never released, so the pool is never dropped.
                mem::forget(Arc::clone(&self.pool));
            }
        }
    }

    fn next<I: Iterator>(turns: &Mutex<Turns<I>>) -> Option<(usize, I::Item)> {
        let mut turns = turns.lock().unwrap_or_else(PoisonError::into_inner);
        let game = turns.games.next()?;
        turns.taken += 1;
        Some((turns.taken, game))
    }

    /// Keeps the error of the first environment in the batch's order, so that it does not depend on the threads.
    fn note<I>(turns: &Mutex<Turns<I>>, number: usize, error: GymError) {
        let mut turns = turns.lock().unwrap_or_else(PoisonError::into_inner);
        if turns.error.as_ref().is_none_or(|(first, _)| number < *first) {
            turns.error = Some((number, error));
        }
    }
}
