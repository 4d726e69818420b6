//! Writes ten gradient steps of a run's first update into a folder, for tests/learn, which makes them again with JAX:
//!
//!     cargo run --package gym2600-learn --example steps -- ppo tiny FOLDER [KEY=VALUE]...
//!
//! `before.safetensors` and `after.safetensors` are the weights, `after.onnx` the policy, `gradient.safetensors` the gradient of
//! the first step, `batch.N.safetensors` the minibatches, and `run.json` holds the losses and settings.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use gym2600_learn::{Config, Execution, Minibatch, Trainer};
use safetensors::tensor::{Dtype, TensorView};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [algorithm, net, folder, settings @ ..] = arguments.as_slice() else {
        return Err("expected ALGORITHM NET FOLDER [KEY=VALUE]...".into());
    };
    let folder = Path::new(folder);
    let mut config = Config {
        net: net.parse()?,
        seed: 11,
        envs: 8,
        ..Config::new(algorithm.parse()?)
    };
    config.hyper_parameters.rollout = 16;
    // An update has fewer than the ten steps that are made, without which it cannot be finished.
    config.hyper_parameters.epochs = config.hyper_parameters.epochs.min(2);
    for setting in settings {
        let (key, value) = setting.split_once('=').ok_or("expected KEY=VALUE")?;
        config.hyper_parameters.set(key, value)?;
    }
    let mut trainer = Trainer::new(gym2600_arcade::WALLOP, &config, Execution::default())?;
    trainer.play()?;
    fs::write(folder.join("before.safetensors"), trainer.learner().weights()?)?;
    let mut losses = Vec::new();
    let minibatches = trainer.learner().minibatches();
    for (number, at) in minibatches.iter().cycle().take(10).enumerate() {
        let batch = trainer.minibatch(*at)?;
        fs::write(folder.join(format!("batch.{number}.safetensors")), file(&batch)?)?;
        let (gradient, sums) = trainer.gradient(*at)?;
        if number == 0 {
            fs::write(folder.join("gradient.safetensors"), gradient)?;
        }
        let count = f64::from(u32::try_from(batch.actions.len())?);
        losses.push(sums.to_array().map(|sum| sum / count));
        trainer.step(*at)?;
    }
    trainer.finish()?;
    fs::write(folder.join("after.safetensors"), trainer.learner().weights()?)?;
    fs::write(folder.join("after.onnx"), trainer.learner().onnx())?;
    let run = json!({
        "config": config,
        "input": trainer.learner().origin().input,
        "losses": losses,
    });
    fs::write(folder.join("run.json"), run.to_string())?;
    Ok(())
}

fn file(batch: &Minibatch) -> Result<Vec<u8>, Box<dyn Error>> {
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let actions: Vec<u8> = batch.actions.iter().flat_map(|action| action.to_le_bytes()).collect();
    let count = batch.actions.len();
    let tensors = [
        (
            "observations",
            Dtype::U8,
            vec![count, batch.observations.len() / count],
            batch.observations.clone(),
        ),
        ("actions", Dtype::U32, vec![count], actions),
        (
            "log_probabilities",
            Dtype::F32,
            vec![count],
            floats(&batch.log_probabilities),
        ),
        ("values", Dtype::F32, vec![count], floats(&batch.values)),
        ("advantages", Dtype::F32, vec![count], floats(&batch.advantages)),
    ];
    let views: Result<Vec<_>, _> = tensors
        .iter()
        .map(|(name, dtype, shape, bytes)| {
            Ok::<_, Box<dyn Error>>((*name, TensorView::new(*dtype, shape.clone(), bytes)?))
        })
        .collect();
    Ok(safetensors::serialize(views?, None)?)
}
