//! Measures how much of what games draw an agent cannot see, with each choice of frames of `SkipFrames`. It prints the table of
//! `docs/concepts.md`:
//!
//!     cargo run --release -p gym2600-gym --example unseen -- FOLDER GAME...
//!
//! FOLDER has the ROMs, GAME is the name of one without `.bin`. Each game is played with random actions and sticky ones.
//!
//! The background of a pixel is the grey that most frames of the last [`BACKGROUND_STEPS`] steps show there. A pixel of a frame with another
//! grey belongs to an object. It is unseen if none of the observations of the agent's stack has its grey there.

use std::collections::VecDeque;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use gym2600_gym::random::Pcg64;
use gym2600_gym::spec::{Shows, SkipFrames, StickyActions, Wrapper};
use gym2600_gym::{Game, GameOptions, Observation};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const CHOICES: [(&str, Shows); 3] = [
    ("last", Shows::Last),
    ("maxOfLastTwo", Shows::MaxOfLastTwo),
    ("maxOfAll", Shows::MaxOfAll),
];
/// Steps of each game.
const STEPS: usize = 3000;
/// Frames of a step.
const SKIP: u32 = 4;
/// Steps of a background, 4 seconds.
const BACKGROUND_STEPS: usize = 60;
/// One step in so many is counted.
const COUNTED_EVERY: usize = 8;
/// Observations of the agent's stack.
const STACK: usize = 4;
const SEED: u64 = 1;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, games @ ..] = arguments.as_slice() else {
        return Err("expected FOLDER GAME...".into());
    };
    println!("| game | `{}` |", CHOICES.map(|(name, _)| name).join("` | `"));
    println!("|---{}|", "|---".repeat(CHOICES.len()));
    for game in games {
        let rom = fs::read(Path::new(folder).join(format!("{game}.bin")))?;
        let unseen = measure(&rom)?.map(|share| format!("{:.1} %", 100.0 * share));
        println!("| {game} | {} |", unseen.join(" | "));
    }
    Ok(())
}

/// One game, played frame by frame and with each choice.
struct Players {
    frames: Player,
    choices: Vec<Player>,
}

struct Player {
    game: Game,
    observation: Vec<u8>,
}

impl Player {
    fn new(rom: &[u8], skip: Option<Shows>) -> Result<Self> {
        let sticky = Wrapper::StickyActions(StickyActions { probability: 0.25 });
        let skip = skip.map(|shows| {
            Wrapper::SkipFrames(SkipFrames {
                n: SKIP,
                shows: Some(shows),
                ..SkipFrames::default()
            })
        });
        let options = GameOptions {
            wrappers: Some([sticky].into_iter().chain(skip).collect()),
            observation: Some(Observation::Grey),
            seed: Some(SEED),
            ..GameOptions::default()
        };
        let game = Game::new(rom, &options)?;
        let observation = vec![0; game.observation_len()];
        Ok(Self { game, observation })
    }

    fn reset(&mut self) -> Result<()> {
        self.game.reset(None, &mut self.observation)?;
        Ok(())
    }

    /// Plays a step. Returns whether it has ended the episode.
    fn step(&mut self, action: u32) -> Result<bool> {
        let step = self.game.step(action, &mut self.observation)?;
        Ok(step.terminated || step.truncated)
    }
}

impl Players {
    fn new(rom: &[u8]) -> Result<Self> {
        let choices = CHOICES.iter().map(|(_, shows)| Player::new(rom, Some(*shows)));
        Ok(Self {
            frames: Player::new(rom, None)?,
            choices: choices.collect::<Result<_>>()?,
        })
    }

    fn reset(&mut self) -> Result<()> {
        self.frames.reset()?;
        self.choices.iter_mut().try_for_each(Player::reset)
    }

    /// Plays a step with every choice. Returns it, and whether it has ended the episode.
    fn step(&mut self, action: u32) -> Result<(Step, bool)> {
        let mut frames = Vec::new();
        let mut ended = false;
        for _ in 0..SKIP {
            ended = self.frames.step(action)?;
            frames.push(self.frames.observation.clone());
            if ended {
                break;
            }
        }
        let mut observations = Vec::new();
        for player in &mut self.choices {
            if player.step(action)? != ended {
                return Err("the choices play different games".into());
            }
            observations.push(player.observation.clone());
        }
        Ok((Step { frames, observations }, ended))
    }
}

/// The frames of a step, and its observation with each choice.
struct Step {
    frames: Vec<Vec<u8>>,
    observations: Vec<Vec<u8>>,
}

/// The shares of the objects' pixels that are unseen with each choice.
#[allow(clippy::cast_precision_loss, reason = "no play has so many pixels")]
fn measure(rom: &[u8]) -> Result<[f64; CHOICES.len()]> {
    let mut players = Players::new(rom)?;
    let mut random = Pcg64::new(SEED);
    let mut steps: VecDeque<Step> = VecDeque::new();
    let (mut pixels, mut unseen) = (0_u64, [0_u64; CHOICES.len()]);
    let mut background = Background::new(players.frames.observation.len());
    players.reset()?;
    for number in 0..STEPS {
        let action = random.integers(0, players.frames.game.action_count() as u32);
        let (step, ended) = players.step(action)?;
        step.frames.iter().for_each(|frame| background.add(frame));
        steps.push_back(step);
        if steps.len() > BACKGROUND_STEPS {
            let oldest = steps.pop_front().expect("there are more than none");
            oldest.frames.iter().for_each(|frame| background.remove(frame));
        }
        if steps.len() == BACKGROUND_STEPS && number % COUNTED_EVERY == 0 {
            count(&steps, &background.greys(), &mut pixels, &mut unseen);
        }
        if ended {
            players.reset()?;
            steps.clear();
            background = Background::new(players.frames.observation.len());
        }
    }
    Ok(unseen.map(|unseen| unseen as f64 / pixels.max(1) as f64))
}

/// Counts the objects' pixels of the last step, and those of them that are unseen with each choice.
fn count(steps: &VecDeque<Step>, background: &[u8], pixels: &mut u64, unseen: &mut [u64; CHOICES.len()]) {
    let stack: Vec<&Step> = steps.iter().rev().take(STACK).collect();
    for frame in &stack[0].frames {
        for (pixel, grey) in frame
            .iter()
            .enumerate()
            .filter(|(pixel, grey)| **grey != background[*pixel])
        {
            *pixels += 1;
            for (choice, unseen) in unseen.iter_mut().enumerate() {
                let is_seen = stack.iter().any(|step| step.observations[choice][pixel] == *grey);
                *unseen += u64::from(!is_seen);
            }
        }
    }
}

/// How often each pixel has had each grey.
struct Background {
    counts: Vec<[u16; 256]>,
}

impl Background {
    fn new(pixels: usize) -> Self {
        Self {
            counts: vec![[0; 256]; pixels],
        }
    }

    fn add(&mut self, frame: &[u8]) {
        for (counts, grey) in self.counts.iter_mut().zip(frame) {
            counts[usize::from(*grey)] += 1;
        }
    }

    fn remove(&mut self, frame: &[u8]) {
        for (counts, grey) in self.counts.iter_mut().zip(frame) {
            counts[usize::from(*grey)] -= 1;
        }
    }

    /// The commonest grey of each pixel, the darkest of several.
    fn greys(&self) -> Vec<u8> {
        let commonest = |counts: &[u16; 256]| (0..=255).rev().max_by_key(|grey: &u8| counts[usize::from(*grey)]);
        self.counts.iter().filter_map(commonest).collect()
    }
}
