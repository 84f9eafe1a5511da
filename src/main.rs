//! The command line: reads options, calls the library, prints what it says.

mod cli;

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::process::ExitCode;

/// Replays and the reference semantics share structure between states: many small allocations.
///
/// Memory that the system refuses ends the process: who supervises it is told why.
struct Allocator(MiMalloc);

#[global_allocator]
static ALLOCATOR: Allocator = Allocator(MiMalloc);

fn noted(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        cli::supervised::worker::memory_refused();
    }
    memory
}

// SAFETY: every call is MiMalloc's, with the same arguments and the same result.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        noted(unsafe { self.0.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        noted(unsafe { self.0.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        noted(unsafe { self.0.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { self.0.dealloc(memory, layout) }
    }
}

fn main() -> ExitCode {
    // A small kernel touches a little of much: with pages of 2 MiB, which the allocator asks for, most of its
    // time went into clearing them (docs/performance.md). An old kernel that knows no such flag does as before.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    ExitCode::from(cli::run(std::env::args_os().collect()).code())
}
