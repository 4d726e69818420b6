//! Compiled code by the address at which the program enters it.
//!
//! A code cache never changes: another compile job makes another one. It owns the machine code, so no entry outlives its function.

use super::compiler::{CompiledCode, CompiledFunction};
use super::profile::{MIRRORS, mirror};
use crate::cartridge::Cartridge;

/// Where each function can be entered, block by block.
pub(super) type Entries = Vec<Vec<EntryPoint>>;

/// The beginning of a basic block.
#[derive(Clone, Copy)]
pub(super) struct EntryPoint {
    /// Its offset in the ROM.
    pub(super) rom_offset: u32,
    pub(super) address: u16,
}

/// Compiled code with a table of its entries.
pub(super) struct CodeCache {
    /// By mirror of the bus and offset in the ROM. A mirror without code has no entries.
    mirrors: [Vec<Option<CompiledBlock>>; MIRRORS],
    /// Owns the memory that the functions are in.
    _code: Box<dyn CompiledCode>,
}

/// A block of a compiled function.
#[derive(Clone, Copy)]
pub(super) struct CompiledBlock {
    pub(super) function: CompiledFunction,
    pub(super) block: u16,
    address: u16,
}

impl CodeCache {
    pub(super) fn new(code: Box<dyn CompiledCode>, entries: &Entries) -> Self {
        let mut mirrors: [Vec<Option<CompiledBlock>>; MIRRORS] = Default::default();
        for (&function, blocks) in code.functions().iter().zip(entries) {
            for (block, &EntryPoint { rom_offset, address }) in (0..).zip(blocks) {
                let table = &mut mirrors[mirror(address)];
                let rom_offset = rom_offset as usize;
                if table.len() <= rom_offset {
                    table.resize(rom_offset + 1, None);
                }
                table[rom_offset] = Some(CompiledBlock {
                    function,
                    block,
                    address,
                });
            }
        }
        Self { mirrors, _code: code }
    }

    /// The code for `address` as the cartridge maps it.
    pub(super) fn entry(&self, cartridge: &Cartridge, address: u16) -> Option<CompiledBlock> {
        self.entry_at(cartridge.rom_offset(address)?, address)
    }

    /// The code at this offset in the ROM if the program sees it at `address`.
    pub(super) fn entry_at(&self, rom_offset: usize, address: u16) -> Option<CompiledBlock> {
        let entry = *self.mirrors[mirror(address)].get(rom_offset)?;
        entry.filter(|entry| entry.address == address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jit::program::Code;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    struct Noted(Arc<AtomicBool>);

    impl CompiledCode for Noted {
        fn functions(&self) -> &[CompiledFunction] {
            &[]
        }
    }

    impl Drop for Noted {
        fn drop(&mut self) {
            self.0.store(true, Relaxed);
        }
    }

    #[test]
    fn machine_code_exists_as_long_as_a_console_can_call_it() {
        let is_dropped = Arc::new(AtomicBool::new(false));
        let cache = CodeCache::new(Box::new(Noted(Arc::clone(&is_dropped))), &Entries::new());
        let mut current = Some(Arc::new(cache));
        let console = Code {
            generation: 1,
            cache: current.clone(),
        };
        // Another job replaces the code while a console runs it.
        current.take();
        assert!(!is_dropped.load(Relaxed));
        drop(console);
        assert!(is_dropped.load(Relaxed));
    }
}
