//! Which actions matter in a game, by trying them.

use std::hash::{DefaultHasher, Hash, Hasher};

use gym2600_vcs::Drawing;

use crate::action::Action;
use crate::arcade::Arcade;
use crate::random::Mt19937;

/// The most moments of a random play at which actions are tried, and the frames between them.
const MOMENTS: usize = 32;
const GAP: u32 = 56;
/// The frames for which the random play holds an action.
const HELD: u32 = 8;
/// The frames for which an action is tried: its effect has to be seen by then.
const TRIED: u32 = 20;

/// The actions that a game tells apart by its pictures, by number, with [`Action::Noop`] first.
///
/// At some moments of a random play, the first at its start, each action is held for a third of a second. One whose pictures are those of
/// a simpler action at all of these moments does not matter, as far as that play has come. The arcade itself is not changed.
pub fn actions_that_matter(arcade: &Arcade) -> Vec<Action> {
    let mut play = arcade.clone();
    let mut random = Mt19937::new(0);
    // Actions that no moment has told apart.
    let mut alike = vec![Action::ALL.to_vec()];
    for _ in 0..MOMENTS {
        alike = alike
            .into_iter()
            .flat_map(|actions| told_apart(&play, actions))
            .collect();
        if alike.len() == Action::ALL.len() {
            break;
        }
        for _ in 0..GAP / HELD {
            let action = Action::ALL[random.next_u32() as usize % Action::ALL.len()];
            for _ in 0..HELD {
                play.act(action, Drawing::OnDemand);
            }
            if play.game_over() || play.game_truncated() {
                play.reset_game();
            }
        }
    }
    let mut simplest: Vec<Action> = alike.into_iter().map(|actions| actions[0]).collect();
    simplest.sort_by_key(|action| action.number());
    simplest
}

/// The groups of actions whose pictures from a moment on are the same, each by number.
fn told_apart(play: &Arcade, actions: Vec<Action>) -> Vec<Vec<Action>> {
    if actions.len() == 1 {
        return vec![actions];
    }
    let mut groups: Vec<(u64, Vec<Action>)> = Vec::new();
    for action in actions {
        let pictures = pictures_of(play.clone(), action);
        match groups.iter_mut().find(|(known, _)| *known == pictures) {
            Some((_, group)) => group.push(action),
            None => groups.push((pictures, vec![action])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// A hash of the pictures while an action is held.
fn pictures_of(mut arcade: Arcade, action: Action) -> u64 {
    let mut hasher = DefaultHasher::new();
    for _ in 0..TRIED {
        arcade.act(action, Drawing::Immediate);
        arcade.screen().hash(&mut hasher);
    }
    hasher.finish()
}
