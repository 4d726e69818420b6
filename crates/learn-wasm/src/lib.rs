#![doc = include_str!("../README.md")]
//!
//! [`WasmLearner`] has the weights, [`WasmShards`] the games of some shards, [`WasmPolicy`] trained weights, and [`WasmEvaluation`] their
//! games.

mod error;
mod game;

pub use error::Thrown;
pub use game::{ForeignGame, JsRom};

use gym2600_gym::{EpisodeSummary, GameOptions};
use gym2600_js::{options, write};
use gym2600_learn::{
    Arithmetic, Choice, Collected, Config, Decision, Evaluation, LearnError, Learner, LossSums, MinibatchAt, Policy,
    SHARDS, Scores, Shard, TrainingOptions, doubts,
};
use gym2600_learn_gpu::{Shown, State};
use js_sys::{Error, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

/// Plain data that was written from a file's metadata, in which a number can be one that JavaScript does not have.
fn of_file(written: Result<JsValue, JsValue>) -> Result<JsValue, Thrown> {
    let refusal = |error| LearnError::File {
        what: "weights",
        reason: format!("its metadata: {}", String::from(Error::from(error).message())),
    };
    Ok(written.map_err(refusal)?)
}

/// The weights of a run.
#[wasm_bindgen]
pub struct WasmLearner {
    learner: Learner,
    games: Vec<Vec<u8>>,
}

#[wasm_bindgen]
impl WasmLearner {
    /// The first weights of a run, or those of a checkpoint. `wanted` is the package's `TrainingOptions`, which may not differ from a
    /// checkpoint's settings.
    #[wasm_bindgen(constructor)]
    pub fn new(rom: &JsRom, wanted: JsValue, checkpoint: Option<Vec<u8>>) -> Result<Self, Thrown> {
        let wanted: TrainingOptions = options(wanted)?;
        let (learner, games) = match checkpoint {
            None => (Learner::new(rom, &wanted.config()?)?, Vec::new()),
            Some(bytes) => {
                let (learner, games) = Learner::resume(rom, &bytes)?;
                learner.config().check_resumed(wanted)?;
                (learner, games)
            }
        };
        Ok(Self { learner, games })
    }

    /// The run's settings: the package's `TrainingConfig`.
    pub fn config(&self) -> Result<JsValue, Thrown> {
        of_file(write(self.learner.config()))
    }

    /// The options of the run's games, defaults resolved: the package's `EnvironmentOptions`.
    pub fn environment(&self) -> Result<JsValue, Thrown> {
        of_file(write(self.learner.environment()))
    }

    /// The state of a game of the checkpoint, or collected by [`WasmLearner::keep_game`].
    pub fn game(&self, number: usize) -> Vec<u8> {
        self.games[number].clone()
    }

    /// Takes the state of a game for a checkpoint; number 0 forgets those before.
    #[wasm_bindgen(js_name = keepGame)]
    pub fn keep_game(&mut self, number: usize, bytes: Vec<u8>) {
        self.games.truncate(number);
        self.games.push(bytes);
    }

    /// The run as bytes, with the games that were kept.
    pub fn checkpoint(&mut self) -> Result<Vec<u8>, Thrown> {
        Ok(self.learner.checkpoint(std::mem::take(&mut self.games))?)
    }

    /// The weights, for [`WasmShards`].
    pub fn parameters(&self) -> Vec<f32> {
        self.learner.parameters().to_vec()
    }

    /// Updates finished.
    pub fn updates(&self) -> f64 {
        self.learner.updates() as f64
    }

    /// Steps played, of all games.
    pub fn steps(&self) -> f64 {
        self.learner.steps() as f64
    }

    /// Takes what all shards played, shard after shard; games are four numbers each: shard, reward, length and frames.
    pub fn begin(&mut self, advantages: &[f32], values: &[f32], episodes: &[f64]) -> Result<(), Thrown> {
        let steps = advantages.len() / SHARDS;
        let mut collected: [Collected; SHARDS] = std::array::from_fn(|shard| Collected {
            advantages: advantages[shard * steps..][..steps].to_vec(),
            values: values[shard * steps..][..steps].to_vec(),
            episodes: Vec::new(),
        });
        for [shard, reward, length, frames] in episodes.as_chunks::<4>().0 {
            collected[*shard as usize].episodes.push(EpisodeSummary {
                reward: *reward,
                length: *length as u32,
                frames: *frames as u32,
            });
        }
        Ok(self.learner.begin(collected)?)
    }

    /// Mean and scale of a minibatch's advantages.
    pub fn normalisation(&self, epoch: usize, minibatch: usize) -> Result<Vec<f64>, Thrown> {
        let (mean, scale) = self.learner.normalisation(MinibatchAt { epoch, minibatch })?;
        Ok(vec![mean, scale])
    }

    /// Takes the sum of the gradients of a minibatch, and the shards' losses.
    pub fn apply(&mut self, gradient: Vec<f32>, losses: &[f64]) -> Result<(), Thrown> {
        let losses: Vec<LossSums> = losses.as_chunks().0.iter().copied().map(LossSums::from_array).collect();
        Ok(self.learner.apply_sum(gradient, &losses)?)
    }

    /// What a graphics card has to know of the run, as numbers for the card's module.
    #[wasm_bindgen(js_name = cardWork)]
    pub fn card_work(&self) -> Vec<u32> {
        self.learner.card_work().to_numbers()
    }

    /// The optimizer's moments: the first of each weight, if it has any, or the second.
    pub fn moments(&self, second: bool) -> Vec<f32> {
        self.learner.moments()[usize::from(second)].to_vec()
    }

    /// The steps of all shards, one after the other, in the order of the card's observations.
    #[wasm_bindgen(js_name = cardSteps)]
    pub fn card_steps(&self, steps: &[u32]) -> Vec<u32> {
        self.learner.card_steps(steps)
    }

    /// The steps of a minibatch, for the card.
    #[wasm_bindgen(js_name = cardSamples)]
    pub fn card_samples(&self, epoch: usize, minibatch: usize) -> Result<Vec<u32>, Thrown> {
        Ok(self.learner.card_samples(MinibatchAt { epoch, minibatch })?)
    }

    /// The settings of a minibatch, for the card.
    #[wasm_bindgen(js_name = cardSettings)]
    pub fn card_settings(&self, epoch: usize, minibatch: usize) -> Result<Vec<u32>, Thrown> {
        let settings = self.learner.card_settings(MinibatchAt { epoch, minibatch })?;
        Ok(settings.to_vec())
    }

    /// Takes what the card made in the gradient steps of the update.
    pub fn take(
        &mut self,
        parameters: Vec<f32>,
        first: Vec<f32>,
        second: Vec<f32>,
        totals: Vec<f32>,
    ) -> Result<(), Thrown> {
        let state = State {
            parameters,
            first,
            second,
            totals,
        };
        Ok(self.learner.take(state)?)
    }

    /// Ends the update and gives the package's `UpdateReport`.
    pub fn finish(&mut self) -> Result<JsValue, Thrown> {
        Ok(write(&self.learner.finish()?)?)
    }

    /// The weights as safetensors.
    pub fn weights(&self) -> Result<Vec<u8>, Thrown> {
        Ok(self.learner.weights()?)
    }

    /// The weights as ONNX.
    pub fn onnx(&self) -> Vec<u8> {
        self.learner.onnx()
    }

    /// CRC-32 of all parameters in file order.
    pub fn checksum(&self) -> u32 {
        self.learner.weights_checksum()
    }
}

/// Games of one or several shards in one thread.
#[wasm_bindgen]
pub struct WasmShards {
    config: Config,
    first: usize,
    shards: Vec<Shard<ForeignGame>>,
    losses: Vec<f64>,
    shown: Shown,
}

#[wasm_bindgen]
impl WasmShards {
    /// Makes the games of `count` shards from `first` on. `config` is what [`WasmLearner::config`] gives.
    #[wasm_bindgen(constructor)]
    pub fn new(rom: &JsRom, config: JsValue, first: usize, count: usize) -> Result<Self, Thrown> {
        let config: Config = options(config)?;
        let shards = (first..first + count).map(|number| Shard::new(rom, &config, number, Arithmetic::Exact));
        Ok(Self {
            first,
            shards: shards.collect::<Result<_, _>>()?,
            config,
            losses: Vec::new(),
            shown: Shown::default(),
        })
    }

    /// The halves of the games that take turns with a card.
    pub fn halves(&self) -> usize {
        self.config.halves().len()
    }

    /// Begins a rollout.
    pub fn begin(&mut self, update: f64) {
        self.shards.iter_mut().for_each(|shard| shard.begin(update as u64));
    }

    /// Plays a step of half of the games with what a net gave for each of them.
    pub fn advance(&mut self, half: usize, step: usize, outputs: &[f32]) -> Result<(), Thrown> {
        let part = outputs.len() / self.shards.len();
        for (number, shard) in self.shards.iter_mut().enumerate() {
            shard.advance(half, step, &outputs[number * part..][..part])?;
        }
        Ok(())
    }

    /// Notes what half of the games show.
    pub fn show(&mut self, half: usize) {
        self.shown = Shown::default();
        for shard in &mut self.shards {
            self.shown.extend(&shard.show(half));
        }
    }

    /// The pictures that were noted, game after game, each once in a rollout.
    pub fn pictures(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.shown.pictures)
    }

    /// How many they are of each game.
    pub fn counts(&self) -> Vec<u32> {
        self.shown.counts.clone()
    }

    /// The pictures of each game's stack, by their numbers among all that the game has shown.
    pub fn stacks(&self) -> Vec<u32> {
        self.shown.stacks.clone()
    }

    /// The steps of the rollout, shard after shard, for the learner's `cardSteps`.
    pub fn steps(&self) -> Vec<u32> {
        self.shards.iter().flat_map(Shard::card_steps).collect()
    }

    /// Plays a whole rollout, or the rest of one that has begun. Gives the games that ended, as four numbers each: shard, reward, length and frames.
    pub fn play(&mut self, parameters: &[f32], update: f64, has_begun: bool) -> Result<Vec<f64>, Thrown> {
        let mut episodes = Vec::new();
        for (number, shard) in self.shards.iter_mut().enumerate() {
            shard.set_parameters(parameters)?;
            if !has_begun {
                shard.begin(update as u64);
            }
            shard.play_rest()?;
            let collected = shard.end()?;
            for EpisodeSummary { reward, length, frames } in &collected.episodes {
                let shard = (self.first + number) as f64;
                episodes.extend([shard, *reward, f64::from(*length), f64::from(*frames)]);
            }
        }
        Ok(episodes)
    }

    /// The advantages of the last rollout.
    pub fn advantages(&self) -> Vec<f32> {
        self.shards
            .iter()
            .flat_map(|shard| &shard.collected().advantages)
            .copied()
            .collect()
    }

    /// The values of the last rollout.
    pub fn values(&self) -> Vec<f32> {
        self.shards
            .iter()
            .flat_map(|shard| &shard.collected().values)
            .copied()
            .collect()
    }

    /// The sum of the shards' gradients for a minibatch. Pairs are summed first, so two halves add up to the sum of all four.
    pub fn gradient(
        &mut self,
        parameters: &[f32],
        epoch: usize,
        minibatch: usize,
        mean: f64,
        scale: f64,
    ) -> Result<Vec<f32>, Thrown> {
        self.losses.clear();
        let mut gradients: Vec<Vec<f32>> = Vec::new();
        for shard in &mut self.shards {
            shard.set_parameters(parameters)?;
            let (gradient, losses) = shard.gradient(MinibatchAt { epoch, minibatch }, mean, scale)?;
            gradients.push(gradient.to_vec());
            self.losses.extend(losses.to_array());
        }
        while gradients.len() > 1 {
            gradients = gradients.chunks(2).map(add).collect();
        }
        Ok(gradients.pop().expect("a worker has shards"))
    }

    /// The losses of the last gradient, five for each shard.
    pub fn losses(&self) -> Vec<f64> {
        self.losses.clone()
    }

    /// The states of all games, shard after shard.
    pub fn save(&mut self) -> Result<Vec<Uint8Array>, Thrown> {
        let mut games = Vec::new();
        for shard in &mut self.shards {
            games.extend(shard.save()?.iter().map(|game| Uint8Array::from(game.as_slice())));
        }
        Ok(games)
    }

    /// Restores all games of a shard, counted from these shards' first.
    pub fn restore(&mut self, shard: usize, games: Vec<Uint8Array>) -> Result<(), Thrown> {
        let games: Vec<Vec<u8>> = games.iter().map(Uint8Array::to_vec).collect();
        self.shards[shard].restore(&games)
    }
}

/// The sum of one or two gradients.
fn add(pair: &[Vec<f32>]) -> Vec<f32> {
    match pair {
        [a, b] => a.iter().zip(b).map(|(a, b)| a + b).collect(),
        _ => pair.concat(),
    }
}

/// Trained weights at play.
#[wasm_bindgen]
pub struct WasmPolicy {
    policy: Policy,
    decision: Option<Decision>,
}

fn choice(seed: Option<f64>) -> Choice {
    match seed {
        Some(seed) => Choice::Sampled { seed: seed as u64 },
        None => Choice::Greedy,
    }
}

#[wasm_bindgen]
impl WasmPolicy {
    /// A policy from a file of weights or a checkpoint.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Self, Thrown> {
        Ok(Self {
            policy: Policy::load(bytes)?,
            decision: None,
        })
    }

    /// What the weights were made for: the package's `PolicyOrigin`, or `null` where the file does not say.
    pub fn origin(&self) -> Result<JsValue, Thrown> {
        let origin = of_file(write(&self.policy.origin()))?;
        // Files have the names of Rust.
        for (name, ours) in [("rom_md5", "romMd5"), ("hyper_parameters", "hyperParameters")] {
            if let Some(origin) = origin.dyn_ref::<Object>() {
                Reflect::set(origin, &ours.into(), &Reflect::get(origin, &name.into())?)?;
                Reflect::delete_property(origin, &name.into())?;
            }
        }
        Ok(origin)
    }

    /// The options of the policy's games, defaults resolved: the package's `EnvironmentOptions`.
    pub fn environment(&self, rom: &JsRom) -> Result<JsValue, Thrown> {
        of_file(write(&self.policy.environment(rom, &GameOptions::default())?))
    }

    /// Decides on frames x height x width bytes: greedily without a seed, else by its stream. Gives the action.
    pub fn act(&mut self, observation: &[u8], shape: Vec<usize>, seed: Option<f64>) -> Result<u32, Thrown> {
        let decision = self.policy.act(observation, &shape, choice(seed))?;
        let action = decision.action;
        self.decision = Some(decision);
        Ok(action)
    }

    /// The probabilities of the last decision.
    pub fn probabilities(&self) -> Vec<f64> {
        self.decision().probabilities.clone()
    }

    /// The value of the last decision.
    pub fn value(&self) -> f32 {
        self.decision().value
    }

    /// The logits of the last decision.
    pub fn logits(&self) -> Vec<f32> {
        self.decision().logits.clone()
    }

    /// The policy as ONNX.
    pub fn onnx(&self) -> Vec<u8> {
        self.policy.onnx()
    }
}

impl WasmPolicy {
    fn decision(&self) -> &Decision {
        self.decision.as_ref().expect("the package asks after a decision")
    }
}

/// A policy in a game.
#[wasm_bindgen]
pub struct WasmEvaluation(Evaluation<ForeignGame>);

#[wasm_bindgen]
impl WasmEvaluation {
    /// Makes the game. `wanted`, the package's `EnvironmentOptions`, stands in the place of training's options, where it has any.
    #[wasm_bindgen(constructor)]
    pub fn new(weights: &[u8], rom: &JsRom, wanted: JsValue, seed: f64, greedy: bool) -> Result<Self, Thrown> {
        let policy = Policy::load(weights)?;
        let wanted: GameOptions = options(wanted)?;
        let choice = choice((!greedy).then_some(seed));
        Ok(Self(Evaluation::new(policy, rom, &wanted, seed as u64, choice)?))
    }

    /// Plays to the end of a game: reward and length.
    pub fn episode(&mut self) -> Result<Vec<f64>, Thrown> {
        let EpisodeSummary { reward, length, .. } = self.0.episode()?;
        Ok(vec![reward, f64::from(length)])
    }

    /// The actions of the last game.
    pub fn actions(&self) -> Vec<u32> {
        self.0.actions().to_vec()
    }

    /// The options of the games, defaults resolved: the package's `EnvironmentOptions`.
    pub fn options(&self) -> Result<JsValue, Thrown> {
        of_file(write(self.0.options()))
    }

    /// The options that differ from training's, as JSON.
    pub fn differences(&self) -> String {
        serde_json::to_string(self.0.differences()).expect("options are plain data")
    }
}

/// Mean, errors and bounds of the scores of some games: the package's `Scores`, or `null` without games.
#[wasm_bindgen]
pub fn scores(rewards: &[f64]) -> Result<JsValue, Thrown> {
    Ok(write(&Scores::of(rewards))?)
}

/// Whether a file has an earlier state of the run of `envs` games that has these weights, or the same.
#[wasm_bindgen(js_name = isEarlier)]
pub fn is_earlier(weights: &[u8], envs: usize, file: &[u8]) -> Result<bool, Thrown> {
    let policy = Policy::load(weights)?;
    Ok(policy.origin().is_some_and(|origin| origin.is_earlier(envs, file)))
}

/// What random play finds wrong with the game of a run, as a pair of its kind and a text, or `null`. `config` is what [`WasmLearner::config`] gives.
#[wasm_bindgen]
pub fn doubt(rom: &JsRom, config: JsValue) -> Result<JsValue, Thrown> {
    let config: Config = options(config)?;
    let found = doubts(rom, &config)?.map(|doubt| (doubt, doubt.to_string()));
    Ok(write(&found)?)
}

/// What [`WasmLearner::config`] and [`WasmLearner::environment`] give, as JSON with the digits of the native program: in JavaScript single
/// floats have those of doubles.
#[wasm_bindgen(js_name = settingsJson)]
pub fn settings_json(config: JsValue, environment: JsValue) -> Result<String, Thrown> {
    let settings: (Config, GameOptions) = (options(config)?, options(environment)?);
    Ok(serde_json::to_string(&settings).expect("settings are plain data"))
}
