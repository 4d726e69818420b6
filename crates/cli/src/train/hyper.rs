//! Hyper-parameters on the command line: `--set KEY=VALUE`, or an option for each, under our name or CleanRL's.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use gym2600_learn::{Algorithm, CLEANRL, HyperParameters};
use serde_json::Value;

/// What each hyper-parameter is.
const MEANINGS: [(&str, &str); 17] = [
    ("rollout", "Steps of each game between updates"),
    ("epochs", "How often an update goes through its steps"),
    ("minibatches", "Gradient steps of an epoch"),
    ("learning_rate", "Learning rate"),
    (
        "warmup_steps",
        "Steps over which the learning rate rises linearly to its value; 0 starts with it",
    ),
    (
        "anneal_steps",
        "Steps over which the learning rate falls linearly; 0 keeps it constant",
    ),
    (
        "anneal_to",
        "The share of the learning rate to which it falls, and which it keeps from then on",
    ),
    ("gamma", "Discount"),
    (
        "lambda",
        "Lambda of generalised advantage estimation; 1 gives n-step returns",
    ),
    ("clip", "PPO's bound on the change of a probability's ratio"),
    ("clip_value", "Whether PPO bounds the change of values too"),
    ("normalize", "Whether advantages are normalised in each minibatch"),
    ("entropy", "Weight of the entropy"),
    ("value", "Weight of the value's loss"),
    ("gradient_norm", "Bound on the gradient's norm"),
    ("optimizer", "adam or rmsprop"),
    ("epsilon", "The optimizer's epsilon"),
];

/// The hyper-parameters that were given, by name, in the order of the list but for those of `--set`, which come first.
#[derive(Clone, Default)]
pub(crate) struct HyperArguments(pub(super) Vec<(String, String)>);

/// The option of a name with underscores.
pub(crate) fn option_of(name: &str) -> Option<String> {
    let is_known = MEANINGS.iter().any(|(ours, _)| *ours == name);
    is_known.then(|| format!("--{}", name.replace('_', "-")))
}

/// The defaults of both algorithms in words.
fn default_of(name: &str) -> String {
    let [ppo, a2c] = [Algorithm::Ppo, Algorithm::A2c].map(|algorithm| {
        let all = serde_json::to_value(HyperParameters::of(algorithm)).unwrap_or_default();
        match &all[name] {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        }
    });
    if ppo == a2c {
        format!("[default: {ppo}]")
    } else {
        format!("[default: {ppo}; of a2c {a2c}]")
    }
}

fn argument((name, meaning): (&'static str, &str)) -> Arg {
    let theirs = CLEANRL.iter().filter(|(_, ours)| *ours == name);
    let aliases = theirs.map(|(theirs, _)| theirs.replace('_', "-"));
    Arg::new(name)
        .long(name.replace('_', "-"))
        .value_name("VALUE")
        .allow_negative_numbers(true)
        .visible_aliases(aliases.map(clap::builder::Str::from).collect::<Vec<_>>())
        .help_heading("Hyper-parameters")
        .help(format!("{meaning} {}", default_of(name)))
}

impl Args for HyperArguments {
    fn augment_args(command: Command) -> Command {
        let set = Arg::new("set")
            .long("set")
            .value_name("KEY=VALUE")
            .action(ArgAction::Append)
            .value_parser(setting)
            .help_heading("Hyper-parameters")
            .help("Sets any of these by its name, as learning_rate=0.001");
        command.arg(set).args(MEANINGS.map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for HyperArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let set = matches
            .get_many::<(String, String)>("set")
            .into_iter()
            .flatten()
            .cloned();
        let given = MEANINGS.iter().filter_map(|(name, _)| {
            let value = matches.get_one::<String>(name)?;
            Some(((*name).to_owned(), value.clone()))
        });
        Ok(Self(set.chain(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn setting(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

    use super::*;

    #[test]
    fn every_hyper_parameter_has_an_option() {
        let all = serde_json::to_value(HyperParameters::of(Algorithm::Ppo)).unwrap();
        let names: Vec<&String> = all.as_object().unwrap().keys().collect();
        let mut ours = MEANINGS.map(|(name, _)| name);
        ours.sort_unstable();
        assert_eq!(names, ours);
    }
}
