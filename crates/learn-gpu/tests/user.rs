//! The crate as a program of a user sees it: errors, threads, work as numbers. The tests of `gym2600-learn` compute with it.

#![cfg(feature = "wgpu")]

use std::error::Error;

use gym2600_learn_gpu::{
    Adapters, Card, GpuError, Layer, Loss, Net, Objective, Optimizer, Room, Shape, Sums, Training, Work,
};

fn work() -> Work {
    Work {
        shape: Shape {
            pixels: 16,
            frames: 4,
            layers: vec![
                Layer {
                    rows: 4,
                    columns: 4,
                    channels: 4,
                    size: 4,
                    stride: 1,
                    outputs: 8,
                    relu: true,
                },
                Layer::dense(8, 8, false),
            ],
            actions: 6,
        },
        room: Room {
            batch: 4,
            observations: 8,
        },
        objective: Objective {
            loss: Loss::A2c,
            optimizer: Optimizer::Rmsprop,
            minibatches: 1,
        },
    }
}

/// Errors pass through a question mark. It is compiled and not called, because there may be no card.
async fn opened() -> Result<(Net, Training), Box<dyn Error + Send + Sync>> {
    let card = Card::open(Adapters::Any).await?;
    let work = work();
    Ok((Net::new(&card, &work.shape, work.room)?, Training::new(&card, &work)?))
}

#[test]
fn public_types_can_be_shown_and_sent() {
    fn shown_and_sent<T: std::fmt::Debug + Clone + Send + Sync + 'static>() {}
    shown_and_sent::<Card>();
    shown_and_sent::<Work>();
    shown_and_sent::<Sums>();
    shown_and_sent::<GpuError>();
    drop(opened());
}

#[test]
fn errors_say_what_is_wrong() {
    let refusal: Box<dyn Error + Send + Sync> = GpuError::Lost {
        reason: "it was closed".to_owned(),
    }
    .into();
    assert_eq!(refusal.to_string(), "the graphics card was lost: it was closed");
}

#[test]
fn a_work_crosses_as_numbers() {
    assert_eq!(Work::from_numbers(&work().to_numbers()), Some(work()));
    assert_eq!(Work::from_numbers(&[1, 2, 3]), None);
    assert!(Sums::of(&[0.0; 5]).is_empty());
}
