//! What the front end takes for granted where a file leaves it open.

use gridlock_semantics::algebra::ids::ProcId;

/// What a procedure means what it means by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    pub proc: ProcId,
    pub assumed: Assumed,
}

/// One thing taken for granted. Who reports it finds the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// `NAME` or `NAME=VALUE`, which the header comment defines as the option `-D` would.
    HeaderDefinition(String),
    /// A function of which only the type is known gives any value: a clock, a texture.
    AnyValue(String),
    /// A function without a body here touches no memory, waits for no other thread and returns; what it gives, if
    /// it gives anything, is any value.
    NoBody { function: String, gives_value: bool },
    /// An argument whose cells, of so many bytes, are smaller than its elements: `cells` of them an element.
    PartsOfElements {
        argument: String,
        bytes: u64,
        cells: u64,
    },
    /// A function that asks about the device is answered by the small machine of docs/host.md.
    SmallMachine(String),
    /// `wait_group_events` is a barrier of the work-group.
    GroupEventsBarrier,
    /// Arrays begin at multiples of so many bytes.
    ArraysAligned(u64),
    /// A variable at file scope, declared as one of the host, is one of the device.
    DeviceVariable(String),
    /// The command line is the program's name alone.
    BareCommandLine,
}
