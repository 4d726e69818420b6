//! The RAM that rules read.

use gym2600_vcs::Console;

use crate::rules::ReadRam;

/// A console whose RAM rules read.
pub(crate) struct ConsoleRam<'a>(pub(crate) &'a Console);

impl ReadRam for ConsoleRam<'_> {
    fn ram(&self, address: u8) -> u8 {
        self.0.ram()[usize::from(address & 0x7F)]
    }

    fn cart_ram(&self, index: u8) -> u8 {
        self.0.cartridge_ram().get(usize::from(index)).copied().unwrap_or(0)
    }
}
