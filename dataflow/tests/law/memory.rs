//! A quick look at one order of execution: what is used is there, and what is read was written.

use super::scenario::{BUFFERS, Buffer, Setting, Step};

/// Which bytes exist and are written when all work runs at once.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    exists: [bool; 5],
    written: [[bool; 2]; 5],
}

impl Memory {
    /// Before the first of some steps; those that they allocate are not there yet.
    pub(crate) fn new(steps: &[Step], setting: Setting) -> Self {
        let exists = BUFFERS.map(|b| !steps.contains(&Step::Allocate(b)));
        let written = BUFFERS.map(|b| [setting.zeroed && b.is_pageable(); 2]);
        Self { exists, written }
    }

    /// Takes a step, if it is defined.
    pub(crate) fn take(&mut self, step: Step, setting: Setting) -> bool {
        let halves = |b: Buffer, part: u8| match part {
            0 if b == Buffer::Host && setting.host_is_half => 0..1,
            0 => 0..2,
            1 => 0..1,
            _ => 1..2,
        };
        let is_written = |memory: &Self, b: Buffer, part: u8| {
            halves(b, part).all(|half| memory.written[b as usize][half])
        };
        let allocates = matches!(step, Step::Allocate(_));
        if !allocates && !step.buffers().iter().all(|b| self.exists[*b as usize]) {
            return false;
        }
        match step {
            Step::HostWrite(b, part) | Step::KernelWrite(b, _, part) => {
                halves(b, part).for_each(|half| self.written[b as usize][half] = true);
            }
            Step::Fill(b, _) => self.written[b as usize] = [true; 2],
            Step::HostRead(b, part) => return is_written(self, b, part),
            Step::KernelRead(b, _) | Step::KernelUpdate(b, _) => return is_written(self, b, 0),
            Step::KernelMove(from, to, _) | Step::KernelMirror(from, to, _) => {
                self.written[to as usize] = [true; 2];
                return is_written(self, from, 0);
            }
            Step::Copy { to, from, part, .. } => {
                for half in halves(to, part) {
                    self.written[to as usize][half] = self.written[from as usize][half];
                }
            }
            Step::CopyToEither { from, .. } => {
                for half in 0..2 {
                    let copied = self.written[from as usize][half];
                    self.written[Buffer::Device as usize][half] &= copied;
                    self.written[Buffer::OtherDevice as usize][half] &= copied;
                }
            }
            Step::Shift { to, from } => {
                self.written[to as usize][1] = self.written[from as usize][0];
            }
            Step::Allocate(b) => {
                if self.exists[b as usize] {
                    return false;
                }
                self.written[b as usize] = [setting.zeroed && b.is_pageable(); 2];
                self.exists[b as usize] = true;
            }
            Step::Free(b) => self.exists[b as usize] = false,
            // Whichever it is.
            Step::FreeEither => {
                step.buffers().iter().for_each(|b| self.exists[*b as usize] = false)
            }
            Step::Reset => {
                for b in BUFFERS.into_iter().filter(|b| b.is_device()) {
                    self.exists[b as usize] = false;
                }
            }
            Step::Unrelated(_)
            | Step::WaitForDevice
            | Step::WaitForStream(_)
            | Step::Record(_)
            | Step::StreamWaits(_)
            | Step::WaitForMarker => {}
        }
        true
    }
}
