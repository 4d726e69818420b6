//! Divides what has been executed of a ROM into basic blocks, and these into functions.

use super::lower;
use super::rom_view::{Block, RomView, never_falls_through};
use crate::cpu::LENGTHS;

/// Instructions of a block, at most.
const BLOCK: u32 = 64;
/// The least instructions of a function, except for the last one, and the most.
const FUNCTION: [u32; 2] = [96, 256];
/// The cost of a loop that is divided between functions. A divided jump forward costs 1; loops are executed more often.
const LOOP: u32 = 8;
const JSR: u8 = 0x20;

/// The basic blocks of a view. `seen` tells where instructions have been executed, `entered` where runs of instructions have begun.
pub(super) fn blocks(view: &RomView<'_>, seen: impl Fn(u32) -> bool, entered: impl Fn(u32) -> bool) -> Vec<Block> {
    let indexes = 0..view.bytes.len() as u32;
    let mut heads = vec![false; view.bytes.len()];
    for at in indexes.clone().filter(|&at| seen(at)) {
        heads[at as usize] |= entered(at);
        if let Some(target) = view.code(at).and_then(|code| target(view, at, code))
            && let Some(head) = heads.get_mut(target as usize)
            && seen(target)
        {
            *head = true;
        }
    }
    let mut blocks = Vec::new();
    let mut covered = vec![false; view.bytes.len()];
    for begin in indexes.filter(|&at| seen(at)) {
        if covered[begin as usize] && !heads[begin as usize] {
            continue;
        }
        let (mut at, mut length) = (begin, 0);
        while let Some(code) = view.code(at) {
            covered[at as usize] = true;
            at += u32::from(LENGTHS[usize::from(code as u8)]);
            length += 1;
            let is_head = heads.get(at as usize).is_none_or(|&head| head);
            let opcode = code as u8;
            if never_falls_through(opcode) || !lower::has_lowering(opcode) || is_head || length == BLOCK || !seen(at) {
                break;
            }
        }
        if length > 0 {
            blocks.push(Block {
                at: begin,
                end: at,
                length,
            });
        }
    }
    blocks
}

/// The index that an instruction jumps to, if it is constant.
fn target(view: &RomView<'_>, at: u32, code: u32) -> Option<u32> {
    match code as u8 {
        0x20 | 0x4C => Some(view.index_of((code >> 8) as u16)),
        opcode if opcode & 0x1F == 0x10 => Some(at.wrapping_add(2).wrapping_add_signed(i32::from((code >> 8) as i8))),
        _ => None,
    }
}

/// Divides blocks into functions so that jumps between functions have the lowest cost.
pub(super) fn functions<'a>(view: &RomView<'_>, blocks: &'a [Block]) -> impl Iterator<Item = &'a [Block]> {
    let [least, most] = FUNCTION;
    let costs = costs(view, blocks);
    // best[i]: the lowest cost of dividing the blocks from i on, and the end of their first function.
    let mut best = vec![(0, 0); blocks.len() + 1];
    for begin in (0..blocks.len()).rev() {
        let mut length = 0;
        let mut cheapest = (u32::MAX, 0);
        for (end, block) in (begin + 1..).zip(&blocks[begin..]) {
            length += block.length;
            if length > most {
                break;
            }
            let cost = best[end].0 + costs[end];
            if cost < cheapest.0 && (length >= least || end == blocks.len()) {
                cheapest = (cost, end);
            }
        }
        best[begin] = cheapest;
    }
    let mut begin = 0;
    std::iter::from_fn(move || {
        (begin < blocks.len()).then(|| {
            let (_, end) = best[begin];
            let function = &blocks[begin..end];
            begin = end;
            function
        })
    })
}

/// For each block: how many jumps would cross into another function if a function began there. Jumps back count more. Ends with 0.
fn costs(view: &RomView<'_>, blocks: &[Block]) -> Vec<u32> {
    let mut costs = vec![0; blocks.len() + 1];
    for (index, block) in blocks.iter().enumerate() {
        let (mut at, mut code) = (block.at, 0);
        while at < block.end {
            code = view.code_in_block(at);
            let jump = target(view, at, code).filter(|_| code as u8 != JSR);
            match jump.and_then(|target| blocks.binary_search_by_key(&target, |block| block.at).ok()) {
                Some(target) if target <= index => add(&mut costs[target + 1..=index], LOOP),
                Some(target) => add(&mut costs[index + 1..=target], 1),
                None => {}
            }
            at += u32::from(LENGTHS[usize::from(code as u8)]);
        }
        let goes_on = !never_falls_through(code as u8);
        let has_next = blocks.get(index + 1).is_some_and(|next| next.at == block.end);
        costs[index + 1] += u32::from(goes_on && has_next);
    }
    costs
}

fn add(costs: &mut [u32], more: u32) {
    for cost in costs {
        *cost += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u8 = 0xEA;
    const BNE: u8 = 0xD0;
    /// The indexes of the loop of [`program`] and its branch.
    const BEGIN: u32 = 150;
    const BRANCH: u32 = BEGIN + 120;

    /// A run of instructions with a loop in it, and 300 more after the loop.
    fn program() -> Vec<u8> {
        let mut bytes = vec![NOP; BRANCH as usize];
        bytes.extend([BNE, (BEGIN as i32 - BRANCH as i32 - 2) as u8]);
        bytes.extend([NOP; 300]);
        bytes
    }

    fn view(bytes: &[u8]) -> RomView<'_> {
        RomView {
            first: 0xF000,
            offset: 0,
            bytes,
            switches: false,
            chip: 0,
            sliced: None,
        }
    }

    #[test]
    fn a_loop_is_not_divided_and_functions_hold_all_blocks_in_order() {
        let bytes = program();
        let view = view(&bytes);
        let blocks = blocks(&view, |at| at != BRANCH + 1 && at < bytes.len() as u32 - 3, |_| false);
        let functions: Vec<_> = functions(&view, &blocks).collect();
        assert!(functions.len() > 1);
        assert_eq!(functions.concat(), blocks);
        for function in &functions {
            let length: u32 = function.iter().map(|block| block.length).sum();
            assert!(length <= FUNCTION[1]);
        }
        let whole = |function: &&[Block]| {
            let is_there = |at| function.iter().any(|block| (block.at..block.end).contains(&at));
            is_there(BEGIN) && is_there(BRANCH)
        };
        assert!(functions.iter().any(whole));
    }

    #[test]
    fn dividing_a_loop_has_a_cost_at_each_of_its_blocks() {
        let bytes = program();
        let view = view(&bytes);
        let blocks = blocks(&view, |at| at != BRANCH + 1 && at < bytes.len() as u32 - 3, |_| false);
        let costs = costs(&view, &blocks);
        for (block, cost) in blocks.iter().zip(costs) {
            let inside = block.at > BEGIN && block.at <= BRANCH;
            assert_eq!(cost, u32::from(block.at > 0) + if inside { LOOP } else { 0 });
        }
    }
}
