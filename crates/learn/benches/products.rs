//! Benchmarks of the learner's matrix products in operations a second, and of the speed that none exceeds: multiplications and additions in
//! registers.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gym2600_arcade::WALLOP;
use gym2600_learn::{Arithmetic, Choice, Learner, MinibatchAt, Net, Policy, Shard, TrainingOptions};

/// Values in a vector of the kernel.
const WIDTH: u64 = 8;
/// Multiplications, and as many additions, of each chain in a measured call.
const ROUNDS: u64 = 100_000;
/// Chains, each in one of 16 registers of 256 bits. Half as many take two registers of 128 bits each.
const CHAINS: usize = 12;
/// Steps of a shard's part of a minibatch, by PPO's defaults.
const STEPS: u64 = 32;

/// Places, terms and outputs of each layer, for pictures of 84 x 84. The last has the actor and the critic.
fn layers(net: Net) -> &'static [[u64; 3]] {
    match net {
        Net::Tiny => &[[400, 256, 8], [81, 128, 16], [1, 1296, 128], [1, 128, 8]],
        Net::A3c => &[[400, 256, 16], [81, 256, 32], [1, 2592, 256], [1, 256, 8]],
        Net::Nature => &[
            [400, 256, 32],
            [81, 512, 64],
            [49, 576, 64],
            [1, 3136, 512],
            [1, 512, 8],
        ],
        net => panic!("the layers of {net} are not listed here"),
    }
}

/// Operations of a forward pass, and of a forward and a backward pass, over one sample.
fn operations(net: Net) -> (u64, u64) {
    let mut products = layers(net).iter().map(|layer| layer.iter().product());
    let first: u64 = products.next().unwrap_or_default();
    let others: u64 = products.sum();
    let forward = 2 * (first + others);
    // The gradient of the input is not computed.
    (forward, 3 * forward - 2 * first)
}

/// Independent chains, enough to hide the latencies.
#[inline(always)]
fn chains<V: Copy, const N: usize>(start: V, step: impl Fn(V) -> V) {
    let mut values = [black_box(start); N];
    for _ in 0..ROUNDS {
        for value in &mut values {
            *value = step(*value);
        }
    }
    black_box(values);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use pulp::{NullaryFnOnce, x86::V3};

    pub struct Chains(pub V3);

    impl NullaryFnOnce for Chains {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            let Self(v3) = self;
            let [half, one] = std::hint::black_box([0.5, 1.0]).map(|value| v3.splat_f32x8(value));
            super::chains::<_, { super::CHAINS }>(one, |value| v3.add_f32x8(one, v3.mul_f32x8(value, half)));
        }
    }
}

fn registers(criterion: &mut Criterion) {
    use wide::f32x8;

    let mut group = criterion.benchmark_group("registers");
    #[cfg(target_arch = "x86_64")]
    if let Some(v3) = pulp::x86::V3::try_new() {
        group.throughput(Throughput::Elements(2 * WIDTH * ROUNDS * CHAINS as u64));
        group.bench_function("of 256 bits", |bencher| bencher.iter(|| v3.vectorize(x86::Chains(v3))));
    }
    group.throughput(Throughput::Elements(WIDTH * ROUNDS * CHAINS as u64));
    group.bench_function("of 128 bits", |bencher| {
        let [half, one] = black_box([0.5, 1.0]).map(f32x8::splat);
        bencher.iter(|| chains::<_, { CHAINS / 2 }>(one, |value| one + value * half));
    });
}

fn products(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("products");
    for net in Net::ALL {
        let options = TrainingOptions {
            net: Some(net),
            ..TrainingOptions::default()
        };
        let config = options.config().expect("the default options");
        let learner = Learner::new(WALLOP, &config).expect("a game that gives rewards");
        let (forward, both) = operations(net);

        let weights = learner.weights().expect("the first weights");
        let mut policy = Policy::load(&weights).expect("weights of the learner");
        let observation = vec![128; 4 * 84 * 84];
        group.throughput(Throughput::Elements(forward));
        group.bench_function(format!("{net}, a decision"), |bencher| {
            bencher.iter(|| policy.act(&observation, &[4, 84, 84], Choice::Greedy));
        });

        let mut shard = Shard::new(WALLOP, &config, 0, Arithmetic::Exact).expect("the learner's options");
        shard
            .set_parameters(learner.parameters())
            .expect("the weights of its net");
        shard.collect(1).expect("a rollout");
        let at = MinibatchAt { epoch: 0, minibatch: 0 };
        group.throughput(Throughput::Elements(STEPS * both));
        group.bench_function(format!("{net}, a gradient of {STEPS} steps"), |bencher| {
            bencher.iter(|| black_box(shard.gradient(at, 0.0, 1.0).map(|(_, sums)| sums)));
        });
    }
}

criterion_group!(benches, registers, products);
criterion_main!(benches);
