//! The configuration of the program, `S_gc`: threads of the CPU, the work enqueued for the device, and the launch in
//! progress.

use super::streams::Queues;
use crate::grid::{Device, GridState};
use crate::memory::Memory;
use crate::setup::context::Context;
use crate::thread::ThreadState;
use crate::thread::view::View;
use crate::transition::fault::Fault;
use crate::transition::{Actor, End};
use im::OrdMap;
use std::sync::Arc;

/// A state of the whole program. Copies of it share everything that did not change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The CPU's and the device's.
    pub memory: Memory,
    /// `None` when the entry is a kernel.
    pub host: Option<Arc<ThreadState>>,
    /// The branches of `PAR`, by number ([`Actor::HostThread`]).
    pub branches: OrdMap<u32, Arc<ThreadState>>,
    /// Streams, events, and the work enqueued for the device.
    pub queues: Queues,
    /// The launch in progress.
    pub device: Option<GridState>,
    /// How the run has ended, if it has.
    pub end: Option<End>,
}

impl State {
    /// The fault the run has ended in.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.end {
            Some(End::Fault(fault)) => Some(fault),
            _ => None,
        }
    }
}

impl State {
    /// A thread of the host: [`Actor::Host`] or [`Actor::HostThread`].
    pub fn host_thread(&self, who: Actor) -> Option<&Arc<ThreadState>> {
        match who {
            Actor::Host => self.host.as_ref(),
            Actor::HostThread(number) => self.branches.get(&number),
            _ => None,
        }
    }

    /// As [`State::host_thread`], to be changed; in place where no other state shares it.
    pub(super) fn host_thread_mut(&mut self, who: Actor) -> Option<&mut ThreadState> {
        let thread = match who {
            Actor::Host => self.host.as_mut(),
            Actor::HostThread(number) => self.branches.get_mut(&number),
            _ => None,
        };
        thread.map(Arc::make_mut)
    }

    pub(crate) fn set_host_thread(&mut self, who: Actor, thread: ThreadState) {
        match who {
            Actor::Host => match self.host.as_mut().and_then(Arc::get_mut) {
                Some(own) => *own = thread,
                None => self.host = Some(Arc::new(thread)),
            },
            Actor::HostThread(number) => {
                self.branches.insert(number, Arc::new(thread));
            }
            _ => {}
        }
    }

    pub(crate) fn remove_host_thread(&mut self, who: Actor) {
        if let Actor::HostThread(number) = who {
            self.branches.remove(&number);
        }
    }

    /// The threads of the host there are, ascending.
    pub fn host_threads(&self) -> Vec<Actor> {
        let main = self.host.iter().map(|_| Actor::Host);
        main.chain(self.branches.keys().map(|n| Actor::HostThread(*n)))
            .collect()
    }

    /// Whether the run may end here.
    pub fn is_final(&self) -> bool {
        self.end.is_none()
            && match (&self.host, &self.device) {
                (Some(host), device) => {
                    let idle = device.is_none() && self.queues.pending.is_empty();
                    !host.is_running() && idle
                }
                (None, Some(grid)) => grid.is_final(),
                (None, None) => true,
            }
    }

    /// A thread of the CPU with what it can access.
    pub(super) fn view<'a>(&'a self, context: &'a Context, who: Actor) -> Option<View<'a>> {
        Some(View {
            context,
            memory: &self.memory,
            thread: self.host_thread(who)?,
            device: None,
        })
    }

    /// The launch in progress with the memory it works on.
    pub(super) fn launched(&self) -> Option<Device> {
        Some(Device {
            memory: self.memory.clone(),
            grid: self.device.clone()?,
            end: self.end.clone(),
        })
    }

    /// This state, in which the launch has come so far.
    pub(super) fn with(&self, device: Device) -> State {
        State {
            memory: device.memory,
            device: Some(device.grid),
            end: device.end,
            ..self.clone()
        }
    }
}
