//! Who there is in a state.

use gridlock_semantics::host::State;
use gridlock_semantics::host::streams::StreamId;
use gridlock_semantics::transition::Actor;

/// The host's threads, the streams, the device, and the threads and barriers of the blocks that have started.
pub fn present(state: &State) -> Vec<Actor> {
    let mut actors = state.host_threads();
    actors.extend(state.queues.busy().into_iter().map(StreamId::actor));
    actors.push(Actor::Device);
    for (block, number) in state.device.iter().flat_map(|d| d.blocks.iter().zip(0..)) {
        if block.started && !block.is_finished() {
            let threads = 0..block.threads.len() as u32;
            actors.extend(threads.map(|thread| Actor::Thread {
                block: number,
                thread,
            }));
            actors.push(Actor::Block(number));
        }
    }
    actors
}

/// The threads of the blocks that have not started.
pub fn unstarted(state: &State) -> Vec<Actor> {
    let blocks = state.device.iter().flat_map(|d| d.blocks.iter().zip(0..));
    let fresh = blocks.filter(|(block, _)| !block.started);
    let threads = fresh.flat_map(|(block, number)| {
        (0..block.threads.len() as u32).map(move |thread| Actor::Thread {
            block: number,
            thread,
        })
    });
    threads.collect()
}
