//! What does not fit is refused by a typed error that names the value, and changes nothing. Without hardware a program stands for the card.

#![cfg(feature = "wgpu")]
#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use gym2600_learn_gpu::{
    Adapters, Card, GpuError, Layer, Loss, Net, Objective, Optimizer, Room, Settings, Shape, Shown, Step, Training,
    Work,
};
use pollster::block_on;

const ROOM: Room = Room {
    batch: 4,
    observations: 6,
};

const FIRST: Layer = Layer {
    rows: 4,
    columns: 4,
    channels: 2,
    size: 2,
    stride: 2,
    outputs: 3,
    relu: true,
};

fn card() -> Card {
    block_on(Card::open(Adapters::Any)).unwrap()
}

fn shape() -> Shape {
    Shape {
        pixels: 16,
        frames: 2,
        layers: vec![FIRST, Layer::dense(12, 4, false)],
        actions: 3,
    }
}

/// Weights and biases of the net.
const PARAMETERS: usize = (2 * 2 * 2 + 1) * 3 + (12 + 1) * 4;

fn work(optimizer: Optimizer) -> Work {
    Work {
        shape: shape(),
        room: ROOM,
        objective: Objective {
            loss: Loss::Ppo { clip_value: false },
            optimizer,
            minibatches: 2,
        },
    }
}

const STEP: Step = Step {
    action: 2,
    log_probability: -1.0,
    value: 0.0,
    advantage: 1.0,
    target: 1.0,
};

const SETTINGS: Settings = Settings {
    slot: 0,
    mean: 0.0,
    scale: 1.0,
    clip: 0.1,
    entropy: 0.0,
    value: 0.5,
    bound: 1.0,
    rate: 0.01,
    correction: 1.0,
    epsilon: 1e-5,
};

/// The message of a refusal.
fn refused<T>(result: Result<T, GpuError>) -> String {
    match result {
        Err(error @ (GpuError::Range { .. } | GpuError::Relu { .. } | GpuError::Limit { .. })) => error.to_string(),
        Err(error) => panic!("{error:?}"),
        Ok(_) => panic!("it was not refused"),
    }
}

#[test]
fn layers_that_fit_no_net_are_refused_by_their_numbers() {
    let card = card();
    let refusal = |change: &dyn Fn(&mut Shape)| {
        let mut shape = shape();
        change(&mut shape);
        refused(Net::new(&card, &shape, ROOM))
    };
    for (message, change) in [
        ("stride of layer 0: 0 is not 1 or more", &|shape: &mut Shape| {
            shape.layers[0].stride = 0;
        }),
        ("size of layer 0: 0 is not from 1 to 4", &|shape| {
            shape.layers[0].size = 0;
        }),
        ("size of layer 0: 5 is not from 1 to 4", &|shape| {
            shape.layers[0].size = 5;
        }),
        ("rows of layer 1: 0 is not 1 or more", &|shape| shape.layers[1].rows = 0),
        ("columns of layer 0: 0 is not 1 or more", &|shape| {
            shape.layers[0].columns = 0;
        }),
        ("channels of layer 1: 0 is not 1 or more", &|shape| {
            shape.layers[1].channels = 0;
        }),
        ("outputs of layer 0: 0 is not 1 or more", &|shape| {
            shape.layers[0].outputs = 0;
        }),
        ("pixels: 0 is not 1 or more", &|shape| shape.pixels = 0),
        ("frames: 0 is not 1 or more", &|shape| shape.frames = 0),
        ("actions: 0 is not 1 or more", &|shape| shape.actions = 0),
        ("layers: 0 is not 1 or more", &|shape| shape.layers.clear()),
        ("channels of layer 0, which sees the frames: 2 is not 4", &|shape| {
            shape.frames = 4;
        }),
        (
            "rows times columns of layer 0, which sees the pixels: 16 is not 20",
            &|shape| shape.pixels = 20,
        ),
        (
            "inputs of layer 1, which are the outputs of the one below: 12 is not 8",
            &|shape| shape.layers[0].outputs = 2,
        ),
        (
            "outputs of the last layer, which are the actions' and a value: 4 is not 5 or more",
            &|shape| shape.actions = 4,
        ),
        ("places of the last layer: 4 is not 1", &|shape| {
            shape.layers.truncate(1);
        }),
    ] as [(&str, &dyn Fn(&mut Shape)); 16]
    {
        // With one layer the actions are fewer too.
        let change = |shape: &mut Shape| {
            change(shape);
            if shape.layers.len() == 1 {
                shape.actions = 2;
            }
        };
        assert_eq!(refusal(&change), message);
    }
    let most = refusal(&|shape| shape.layers[1].outputs = usize::MAX);
    assert!(most.contains("outputs of layer 1"), "{most}");
    let huge = refusal(&|shape| shape.layers[1].outputs = usize::MAX - 1);
    assert!(huge.contains("the parameters would take"), "{huge}");
}

#[test]
fn a_room_for_nothing_or_too_much_is_refused() {
    let card = card();
    let net = |batch, observations| refused(Net::new(&card, &shape(), Room { batch, observations }));
    assert_eq!(net(0, 6), "room for a batch: 0 is not 1 or more");
    assert_eq!(net(4, 0), "room for observations: 0 is not 1 or more");
    assert!(net(4, usize::MAX - 1).contains("the pictures would take"));
    assert!(net(usize::MAX - 1, 4).contains("a batch would take"));
    let training = |change: &dyn Fn(&mut Work)| {
        let mut work = work(Optimizer::Adam);
        change(&mut work);
        refused(Training::new(&card, &work))
    };
    assert_eq!(
        training(&|work| work.objective.minibatches = 0),
        "minibatches: 0 is not 1 or more"
    );
    assert!(training(&|work| work.objective.minibatches = usize::MAX - 1).contains("the losses' sums would take"));
    assert_eq!(
        training(&|work| work.shape.layers[0].relu = false),
        "layer 0: each layer but the last needs a ReLU to learn, and the last none"
    );
    assert!(training(&|work| work.shape.layers[1].relu = true).starts_with("layer 1: "));
}

#[test]
fn a_net_takes_what_fits_it_and_goes_on_after_a_refusal() {
    let mut net = Net::new(&card(), &shape(), ROOM).unwrap();
    let message = format!("parameters: 3 is not {PARAMETERS}");
    assert_eq!(refused(net.set_parameters(&[0.0; 3])), message);
    assert_eq!(refused(net.add_picture(&[0; 15])), "bytes of a picture: 15 is not 16");
    assert_eq!(
        refused(net.add_observation(&[0, 0])),
        "picture: 0 is refused, for there are none"
    );
    assert_eq!(
        refused(block_on(net.forward(&[0]))),
        "observation: 0 is refused, for there are none"
    );
    assert_eq!(net.add_picture(&[0; 16]).unwrap(), 0);
    assert_eq!(
        refused(net.add_observation(&[0])),
        "pictures of an observation: 1 is not 2"
    );
    assert_eq!(refused(net.add_observation(&[0, 1])), "picture: 1 is not 0");
    for number in 0..6 {
        assert_eq!(net.add_observation(&[0, 0]).unwrap(), number);
    }
    assert_eq!(
        refused(net.add_observation(&[0, 0])),
        "observation: 6 is not from 0 to 5"
    );
    assert_eq!(
        refused(block_on(net.forward(&[]))),
        "samples of a batch: 0 is not from 1 to 4"
    );
    assert_eq!(
        refused(block_on(net.forward(&[0; 5]))),
        "samples of a batch: 5 is not from 1 to 4"
    );
    assert_eq!(
        refused(block_on(net.forward(&[0, 6]))),
        "observation: 6 is not from 0 to 5"
    );
    net.set_parameters(&[0.5; PARAMETERS]).unwrap();
    let outputs = block_on(net.forward(&[5, 0])).unwrap();
    // A half of each of 12 inputs, which are a half each, and a half.
    assert_eq!(outputs, [3.5; 8]);
}

#[test]
fn an_update_takes_what_fits_it() {
    let card = card();
    for optimizer in [Optimizer::Adam, Optimizer::Rmsprop] {
        let mut training = Training::new(&card, &work(optimizer)).unwrap();
        let all = [0.1; PARAMETERS];
        let means: &[f32] = if optimizer == Optimizer::Adam { &all } else { &[] };
        let refusal = format!("first moments: 1 is not {}", means.len());
        assert_eq!(refused(training.begin(&all, &[0.0], &all)), refusal);
        assert!(refused(training.begin(&all, means, &[])).starts_with("second moments: 0 "));
        assert!(refused(training.begin(&[], means, &all)).starts_with("parameters: 0 "));
        training.begin(&all, means, &all).unwrap();

        let shown = Shown {
            pictures: vec![0; 32],
            counts: vec![1, 1],
            stacks: vec![0; 4],
        };
        let outputs = |training: &mut Training, change: &dyn Fn(&mut Shown)| {
            let mut shown = shown.clone();
            change(&mut shown);
            refused(block_on(training.outputs(&shown)))
        };
        for (message, change) in [
            ("bytes of pictures: 31 is not 32", &|shown: &mut Shown| {
                shown.pictures.truncate(31);
            }),
            ("bytes of pictures: 32 is not 48", &|shown| shown.counts[0] = 2),
            ("pictures of stacks: 3 is not 4", &|shown| shown.stacks.truncate(3)),
            ("picture of a game: 1 is not 0", &|shown| shown.stacks[3] = 1),
            ("games: 5 is not from 1 to 4", &|shown| shown.counts = vec![0; 5]),
            ("games: 0 is not from 1 to 4", &|shown| shown.counts.clear()),
        ] as [(&str, &dyn Fn(&mut Shown)); 6]
        {
            assert_eq!(outputs(&mut training, change), message);
        }
        for _ in 0..3 {
            assert_eq!(block_on(training.outputs(&shown)).unwrap().len(), 8);
        }
        assert_eq!(
            outputs(&mut training, &|shown| shown.counts = vec![1; 3]),
            "games of an update: 3 is not from 0 to 2"
        );
        assert_eq!(refused(training.begin_outputs(1, &shown)), "first game: 1 is not 0");
        let full = "observations that are left: 2 is refused, for there are none";
        assert_eq!(outputs(&mut training, &|_| ()), full);

        assert_eq!(
            refused(training.step(&[0], SETTINGS.bits(1))),
            "observation: 0 is refused, for there are none"
        );
        assert_eq!(
            refused(training.set_steps(&[0; 6])),
            "numbers after the last step: 1 is not 0"
        );
        assert_eq!(refused(training.set_steps(&[0; 35])), "steps: 7 is not from 0 to 6");
        let wrong = Step { action: 3, ..STEP };
        assert_eq!(
            refused(training.set_steps(&wrong.bits())),
            "action: 3 is not from 0 to 2"
        );
        training.set_steps(&[STEP.bits(); 4].concat()).unwrap();
        assert_eq!(
            refused(training.step(&[4], SETTINGS.bits(1))),
            "observation: 4 is not from 0 to 3"
        );
        let batch = SETTINGS.bits(2);
        assert_eq!(
            refused(training.step(&[0], batch)),
            "samples of the settings: 2 is not 1"
        );
        assert_eq!(
            refused(block_on(training.gradient(&[0], batch))),
            "samples of the settings: 2 is not 1"
        );
        let late = Settings { slot: 2, ..SETTINGS };
        assert_eq!(
            refused(training.step(&[0, 3], late.bits(2))),
            "slot: 2 is not from 0 to 1"
        );

        // What was refused has changed nothing, and the update goes on.
        let (gradient, _) = block_on(training.gradient(&[0, 3], batch)).unwrap();
        assert!(gradient.iter().any(|number| *number != 0.0));
        training.step(&[0, 3], batch).unwrap();
        let state = block_on(training.finish()).unwrap();
        assert_eq!((state.parameters.len(), state.first.len()), (PARAMETERS, means.len()));
        assert_ne!(state.parameters, all);
    }
}
