//! Compute shaders: a text in WGSL behind constants, with its buffers.

use std::fmt::Write;

use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, ComputePass, ComputePipeline, ComputePipelineDescriptor,
    ShaderModuleDescriptor, ShaderSource,
};

use crate::card::Card;
use crate::layer::Layer;

/// Invocations of a workgroup, in shaders that take one number each.
pub(crate) const GROUP: usize = 256;

/// Workgroups along one side at most, in all implementations.
const MOST_GROUPS: usize = 65_535;

/// Constants before a shader's text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Constants(String);

impl Constants {
    /// Adds numbers.
    pub(crate) fn numbers<const N: usize>(mut self, numbers: [(&str, usize); N]) -> Self {
        for (name, value) in numbers {
            writeln!(self.0, "const {name} = {value}u;").expect("a text takes all");
        }
        self
    }

    /// Adds choices.
    pub(crate) fn choices<const N: usize>(mut self, choices: [(&str, bool); N]) -> Self {
        for (name, value) in choices {
            writeln!(self.0, "const {name} = {value};").expect("a text takes all");
        }
        self
    }

    /// Adds a type's name.
    pub(crate) fn alias(mut self, name: &str, of: &str) -> Self {
        writeln!(self.0, "alias {name} = {of};").expect("a text takes all");
        self
    }

    /// Adds a layer's sizes. Its parameters start at `at`.
    pub(crate) fn layer(self, layer: Layer, at: usize) -> Self {
        let numbers = [
            ("AT", at),
            ("ROWS", layer.rows),
            ("COLUMNS", layer.columns),
            ("CHANNELS", layer.channels),
            ("SIZE", layer.size),
            ("STRIDE", layer.stride),
            ("OUTPUTS", layer.outputs),
            ("OUT_ROWS", layer.out_rows()),
            ("OUT_COLUMNS", layer.out_columns()),
            ("PLACES", layer.places()),
            ("TERMS", layer.terms()),
        ];
        self.numbers(numbers)
    }

    /// Adds the tiles of a product.
    pub(crate) fn tiles(self, tiles: Tiles) -> Self {
        let Tiles { rows, columns, lane } = tiles;
        let numbers = [
            ("TILE_ROWS", rows),
            ("TILE_COLUMNS", columns),
            ("LANE_ROWS", lane.0),
            ("LANE_COLUMNS", lane.1),
            ("DEPTH", DEPTH),
        ];
        self.numbers(numbers)
    }
}

/// Terms of a sum that a tile takes at once.
pub(crate) const DEPTH: usize = 16;

/// The tiles of a product.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tiles {
    rows: usize,
    columns: usize,
    /// Rows and columns of an invocation.
    lane: (usize, usize),
}

impl Tiles {
    /// Those for a product of so many columns: wide tiles would waste most of their work on a narrow one.
    pub(crate) fn of(columns: usize) -> Self {
        let (rows, width, lane) = match columns {
            0..=8 => (128, 8, (4, 2)),
            9..=16 => (128, 16, (4, 2)),
            17..=32 => (128, 32, (4, 4)),
            _ => (64, 64, (4, 4)),
        };
        Self {
            rows,
            columns: width,
            lane,
        }
    }

    /// Tiles of one part of a product.
    pub(crate) fn count(self, rows: usize, columns: usize) -> usize {
        rows.div_ceil(self.rows) * columns.div_ceil(self.columns)
    }

    /// The workgroups of a product.
    pub(crate) fn groups(self, rows: usize, columns: usize, parts: usize) -> [u32; 3] {
        let [x, y] = plane(rows.div_ceil(self.rows));
        [x, y, (columns.div_ceil(self.columns) * parts) as u32]
    }
}

/// So many workgroups as a rectangle, or a few more.
fn plane(groups: usize) -> [u32; 2] {
    let rows = groups.div_ceil(MOST_GROUPS).max(1);
    [groups.div_ceil(rows).max(1) as u32, rows as u32]
}

/// The workgroups for so many numbers.
pub(crate) fn line(numbers: usize) -> [u32; 3] {
    let [x, y] = plane(numbers.div_ceil(GROUP));
    [x, y, 1]
}

/// A shader with its buffers.
#[derive(Debug)]
pub(crate) struct Kernel {
    pipeline: ComputePipeline,
    buffers: Vec<Buffer>,
    group: BindGroup,
}

impl Kernel {
    /// Compiles the texts, one after the other, behind the constants. The buffers are bound in their order.
    pub(crate) fn new(card: &Card, constants: &Constants, texts: &[&str], buffers: &[&Buffer]) -> Self {
        let text = format!("{}{}", constants.0, texts.concat());
        let module = card.device.create_shader_module(ShaderModuleDescriptor {
            label: None,
            source: ShaderSource::Wgsl(text.into()),
        });
        let pipeline = card.device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let buffers: Vec<Buffer> = buffers.iter().map(|buffer| (*buffer).clone()).collect();
        let group = bind(card, &pipeline, &buffers);
        Self {
            pipeline,
            buffers,
            group,
        }
    }

    /// Takes another buffer in a place.
    pub(crate) fn rebind(&mut self, card: &Card, place: usize, buffer: &Buffer) {
        self.buffers[place] = buffer.clone();
        self.group = bind(card, &self.pipeline, &self.buffers);
    }

    /// Adds its work for so many workgroups.
    pub(crate) fn run(&self, pass: &mut ComputePass<'_>, [x, y, z]: [u32; 3]) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(x, y, z);
    }
}

fn bind(card: &Card, pipeline: &ComputePipeline, buffers: &[Buffer]) -> BindGroup {
    let entries = buffers.iter().enumerate().map(|(binding, buffer)| BindGroupEntry {
        binding: binding as u32,
        resource: buffer.as_entire_binding(),
    });
    card.device.create_bind_group(&BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_workgroups_are_a_rectangle_that_a_device_permits() {
        for groups in [1, MOST_GROUPS, MOST_GROUPS + 1, 112_896, 10 * MOST_GROUPS + 3] {
            let [x, y] = plane(groups).map(|side| side as usize);
            assert!(
                x <= MOST_GROUPS && (groups..groups + y).contains(&(x * y)),
                "{groups}: {x} x {y}"
            );
        }
        assert_eq!(plane(MOST_GROUPS), [65_535, 1]);
    }
}
