//! Where the values of variables come from: which variables and bytes, as they were when somebody began to watch.

use std::cell::Cell;

use super::{Assignment, Expr, Memory, Rules, Variables};
use crate::rules::expression::Node;

/// Variables by their place among all, and bytes by their address: one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) variables: u32,
    pub(crate) ram: u128,
    pub(crate) cart_ram: u128,
}

impl Origin {
    /// Both together.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            variables: self.variables | other.variables,
            ram: self.ram | other.ram,
            cart_ram: self.cart_ram | other.cart_ram,
        }
    }
}

/// The origin of every variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Origins([Origin; Variables::LIMIT]);

impl Origins {
    /// Every variable comes from itself.
    pub(crate) fn new(variables: &Variables) -> Self {
        let mut origins = [Origin::default(); Variables::LIMIT];
        for (slot, origin) in origins.iter_mut().enumerate().take(variables.as_slice().len()) {
            origin.variables = 1 << slot;
        }
        Self(origins)
    }

    /// What all variables together come from.
    pub(crate) fn all(&self) -> Origin {
        self.0.iter().copied().fold(Origin::default(), Origin::or)
    }

    fn of(&self, variables: u32) -> Origin {
        (0..Variables::LIMIT)
            .filter(|slot| variables >> slot & 1 != 0)
            .fold(Origin::default(), |origin, slot| origin.or(self.0[slot]))
    }
}

/// Memory that notes which bytes are read of those that count.
pub(crate) struct Noting<'a, M: ?Sized> {
    memory: &'a M,
    /// The bytes of RAM and of the cartridge's RAM that count.
    counting: Origin,
    read: Cell<Origin>,
}

impl<'a, M: Memory + ?Sized> Noting<'a, M> {
    /// Notes reads of the bytes of `counting`.
    pub(crate) fn new(memory: &'a M, counting: Origin) -> Self {
        Self {
            memory,
            counting,
            read: Cell::default(),
        }
    }

    /// What was read.
    pub(crate) fn read(&self) -> Origin {
        self.read.get()
    }
}

impl<M: Memory + ?Sized> Memory for Noting<'_, M> {
    fn ram(&self, address: u8) -> u8 {
        let mut read = self.read.get();
        read.ram |= 1 << (address & 0x7F) & self.counting.ram;
        self.read.set(read);
        self.memory.ram(address)
    }

    fn cart_ram(&self, index: u8) -> u8 {
        let mut read = self.read.get();
        read.cart_ram |= 1 << (index & 0x7F) & self.counting.cart_ram;
        self.read.set(read);
        self.memory.cart_ram(index)
    }
}

impl Rules {
    /// [`Rules::reset`], following where values come from.
    pub(crate) fn reset_followed(&self, variables: &mut Variables, origins: &mut Origins) {
        self.reset(variables);
        for (slot, _) in &self.start {
            origins.0[usize::from(slot.0)] = Origin::default();
        }
    }

    /// [`Rules::step`], following where values come from; only the bytes of `counting` are worth noting.
    pub(crate) fn step_followed<M: Memory + ?Sized>(
        &self,
        variables: &mut Variables,
        origins: &mut Origins,
        memory: &M,
        counting: Origin,
    ) {
        for Assignment { slot, value } in &self.frame {
            let memory = Noting::new(memory, counting);
            let origin = origins.of(value.variables());
            let value = value.evaluate(variables, &memory, 0);
            origins.0[usize::from(slot.0)] = origin.or(memory.read());
            variables.set(*slot, value);
        }
    }
}

impl Expr {
    /// The variables that the expression may read, one bit each.
    fn variables(&self) -> u32 {
        self.nodes.iter().fold(0, |variables, node| match node {
            Node::Variable(slot) => variables | 1 << slot.0,
            _ => variables,
        })
    }
}
