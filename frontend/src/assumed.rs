//! What the front end assumes where a file leaves something open.

use gridlock_semantics::algebra::ids::ProcId;
use std::path::PathBuf;

/// An assumption on which the meaning of a procedure rests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The procedure, in [`Parsed::program`](crate::Parsed::program).
    pub proc: ProcId,
    /// What is assumed.
    pub assumed: Assumed,
}

/// One assumption. The tool's reports state each in a sentence (`docs/reports.md` lists the kinds).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// `NAME` or `NAME=VALUE`, which the header comment of the file defines as the option `-D` would.
    HeaderDefinition(String),
    /// The header of this name, which the file includes and which is not found, declares and defines nothing that
    /// the file uses; an empty one stands in its place.
    MissingHeader(String),
    /// The header of this name is the one in a folder that no option names, and that was found near the file.
    HeaderNearby {
        /// As the file names it.
        header: String,
        /// Where it is.
        folder: PathBuf,
    },
    /// Declarations of the file that clang does not accept are left out, and what does not name them is not changed by
    /// that.
    NotAccepted {
        /// The file of the first.
        file: String,
        /// Its line.
        line: u32,
        /// What clang says of it.
        message: String,
    },
    /// The function of this name, of which only the type is known (a clock, say), may return any value of its type.
    AnyValue(String),
    /// A function that the file declares and does not define touches no memory, waits for no other thread and
    /// returns; if it returns a value, that may be any value of its type.
    NoBody {
        /// The function's name.
        function: String,
        /// Whether it returns a value: false for `void`.
        gives_value: bool,
    },
    /// The cells of a pointer argument are smaller than the elements of its type, because the program also reads the
    /// memory as a smaller type. Extents and indices of the argument count cells.
    PartsOfElements {
        /// The argument's name.
        argument: String,
        /// Bytes of a cell.
        bytes: u64,
        /// Cells of an element.
        cells: u64,
    },
    /// The function of this name, which asks about the device, answers for the small machine that `docs/host.md`
    /// describes.
    SmallMachine(String),
    /// OpenCL's `wait_group_events` is a barrier of the work-group.
    GroupEventsBarrier,
    /// Arrays begin at addresses that are multiples of this number of bytes.
    ArraysAligned(u64),
    /// The variable of this name, which stands at file scope without `__device__` and which device code uses, is a
    /// variable of the device.
    DeviceVariable(String),
    /// What textures hold is no memory that the kernel writes.
    TexturesApart,
    /// The kernel is this instance of a template that the file does not instantiate. Its arguments are chosen: those
    /// that the text of the file writes somewhere, or plain ones.
    ChosenInstance(String),
    /// Accesses to the surface of this name that do not say what happens outside of it lie inside.
    InsideSurface(String),
    /// The function of this name, which a device approximates, gives what is composed of exact functions for it.
    Approximated(String),
    /// `mma_sync` adds the products of a sum in the order of their numbers, and rounds after each.
    SumsInOrder,
    /// A thread with an asynchronous copy under way does not itself write what is copied or where it goes, and reads the
    /// latter only behind its wait.
    OwnCopies,
    /// Inline assembly that does not clobber `"memory"` stays where it is among accesses to memory.
    AssemblyInPlace,
    /// `main` reads its command line, and the command line is the program's name alone.
    BareCommandLine,
}
