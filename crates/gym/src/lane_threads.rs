//! Plays games, in the caller's thread or in the threads of a pool too.
//!
//! Each thread takes the next few environments until none is left, so a thread with quick environments plays more of them. It takes fewer
//! the fewer are left: the threads end together, and take the lock that they share less often than there are environments.
//!
//! A thread without work spins shortly while others play, because to sleep and to be woken takes longer than most of these waits.
//!
//! Invariant: no result depends on the threads, because environments share only caches that change no result.

use crate::error::GymError;

/// The threads that play games: the caller's, and with the feature `threads` those of a pool too, if there is one.
#[derive(Debug, Default)]
pub struct LaneThreads {
    #[cfg(feature = "threads")]
    pool: Option<pool::LanePool>,
}

impl LaneThreads {
    /// Calls `play` for each of `count` games. Gives the error of the first game that failed; others may have been played after it.
    ///
    /// # Errors
    /// [`GymError::Option`] if a process made by `fork` cannot start threads of its own.
    #[cfg_attr(not(feature = "threads"), allow(clippy::unused_self, reason = "there is no pool"))]
    pub fn run<I, E>(
        &mut self,
        games: I,
        count: usize,
        play: impl Fn(I::Item) -> Result<(), E> + Sync,
    ) -> Result<Result<(), E>, GymError>
    where
        I: Iterator<Item: Send> + Send,
        E: Send,
    {
        #[cfg(feature = "threads")]
        if let Some(pool) = &mut self.pool {
            return pool.run(games, count, &play);
        }
        Ok(games.take(count).try_for_each(play))
    }

    /// Plays on `threads` threads from now on, the caller's among them.
    ///
    /// # Errors
    /// [`GymError::Option`] if the threads cannot be started.
    #[cfg(feature = "threads")]
    pub fn set_threads(&mut self, threads: std::num::NonZero<usize>) -> Result<(), GymError> {
        self.pool = match threads.get() - 1 {
            0 => None,
            count => Some(pool::LanePool::new(count)?),
        };
        Ok(())
    }
}

#[cfg(feature = "threads")]
mod pool {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::{Duration, Instant};
    use std::{array, hint, mem, process};

    use rayon::{ThreadPool, ThreadPoolBuilder};

    use crate::error::GymError;

    /// A pool of threads.
    #[derive(Debug)]
    pub(super) struct LanePool {
        pool: Arc<ThreadPool>,
        count: usize,
        /// The process that made the pool. A child of `fork` has its memory without its threads.
        process: u32,
    }

    /// How long a thread waits for the others before it sleeps.
    const SPIN: Duration = Duration::from_micros(50);

    /// The most environments that a thread takes at once.
    const CHUNK: usize = 8;

    /// The environments that no thread has taken yet, and the first error.
    struct Turns<I, E> {
        games: I,
        count: usize,
        taken: usize,
        error: Option<(usize, E)>,
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

        pub(super) fn run<I, E>(
            &mut self,
            games: I,
            count: usize,
            play: &(impl Fn(I::Item) -> Result<(), E> + Sync),
        ) -> Result<Result<(), E>, GymError>
        where
            I: Iterator<Item: Send> + Send,
            E: Send,
        {
            if self.process != process::id() {
                *self = Self::new(self.count)?;
            }
            let threads = self.count + 1;
            let turns = Mutex::new(Turns {
                games,
                count,
                taken: 0,
                error: None,
            });
            let playing = AtomicUsize::new(0);
            let work = || {
                playing.fetch_add(1, Ordering::Relaxed);
                while let Some((first, games)) = next(&turns, threads) {
                    for (number, game) in games.into_iter().flatten().enumerate() {
                        if let Err(error) = play(game) {
                            note(&turns, first + number, error);
                        }
                    }
                }
                playing.fetch_sub(1, Ordering::Relaxed);
                wait_shortly(&playing);
            };
            self.pool.in_place_scope(|scope| {
                for _ in 0..self.count {
                    scope.spawn(|_| work());
                }
                work();
            });
            let turns = turns.into_inner().unwrap_or_else(PoisonError::into_inner);
            Ok(turns.error.map_or(Ok(()), |(_, error)| Err(error)))
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

    /// The number of the next environment, and the environments of a chunk from there on.
    fn next<I: Iterator, E>(turns: &Mutex<Turns<I, E>>, threads: usize) -> Option<(usize, [Option<I::Item>; CHUNK])> {
        let mut turns = turns.lock().unwrap_or_else(PoisonError::into_inner);
        let left = turns.count.checked_sub(turns.taken).filter(|left| *left > 0)?;
        let size = (left / (2 * threads)).clamp(1, CHUNK);
        let chunk = array::from_fn(|place| if place < size { turns.games.next() } else { None });
        let first = turns.taken;
        turns.taken += size;
        Some((first, chunk))
    }

    /// Waits until no thread plays, but no longer than [`SPIN`].
    fn wait_shortly(playing: &AtomicUsize) {
        let start = Instant::now();
        while playing.load(Ordering::Relaxed) > 0 && start.elapsed() < SPIN {
            hint::spin_loop();
        }
    }

    /// Keeps the error of the first environment in the batch's order, so that it does not depend on the threads.
    fn note<I, E>(turns: &Mutex<Turns<I, E>>, number: usize, error: E) {
        let mut turns = turns.lock().unwrap_or_else(PoisonError::into_inner);
        if turns.error.as_ref().is_none_or(|(first, _)| number < *first) {
            turns.error = Some((number, error));
        }
    }
}
