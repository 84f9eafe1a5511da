//! What a verdict takes for granted.

use super::statements::{Statement, Statements, as_fields, quoted};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

/// What a verdict takes for granted; where it does not hold, the verdict says nothing. The kinds and their arguments
/// are part of the JSON contract (docs/reports.md): add to them, and rename none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "arguments", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each kind says what its arguments are")]
pub enum Assumption {
    /// Each pointer argument of a kernel leads to memory of its own, apart from that of the others and from arrays
    /// at file scope.
    NoAliasing { kernel: String },
    /// No pointer argument of an entry that asks for null pointers is one, but those that are given as such.
    NotNull {
        entry: String,
        arguments: Vec<String>,
    },
    /// No pointer argument leads into the middle of its memory.
    FirstElements {},
    /// The launches that a claim for all sizes speaks of.
    LaunchSizes {},
    /// Launches of this kernel have at most so many threads in each dimension: with more, its indices wrap around.
    LaunchThreads { kernel: String, threads: u64 },
    /// A block of this kernel has at most so many threads, as it is declared (`__launch_bounds__`).
    LaunchBounds { kernel: String, threads: u32 },
    /// Axes of the launch that have extent 1. `numbered`: the kernel reads them, but only where all threads are
    /// numbered.
    UnitAxes { axes: Vec<String>, numbered: bool },
    /// An extent that is given as an expression.
    ExtentNotNegative { array: String },
    /// A signed counter that goes up to an argument does not overflow; `bits` is its width.
    CounterHasRoom {
        line: u32,
        limit: String,
        counter: String,
        bits: u32,
    },
    /// Signed counters whose bounds nothing is known of do not overflow.
    CountersDoNotOverflow { counters: Vec<Counter> },
    /// Nothing has written these arrays between their declaration and the kernel.
    ContentsAsDeclared { kernel: String, arrays: Vec<String> },
    /// What the user fixed of the launch or of the arguments.
    GivenValue { name: String, value: i64 },
    /// How much dynamic shared memory the launches tried have, in bytes for each thread of a block.
    SharedBytesPerThread { bytes: u64 },
    /// What the profile takes for granted of the machine beyond what its documents promise.
    BarrierAcquiresForVolatile {},
    /// A condition of a rule that was not decided where the rule was applied.
    RuleCondition { rule: String, condition: String },
    /// The theory under which programs are compared.
    FloatsReassociated {},
    /// Floats are real numbers; the old program divides by nothing that is 0.
    FloatsAreReals {},
    /// No compiler contracts or reorders operations on floats.
    FloatsAsWritten {},
    /// `NAME` or `NAME=VALUE`, from the header comment of the file.
    HeaderDefinition { definition: String },
    /// A header that the file includes and that is not found.
    MissingHeader { header: String },
    /// A header found in a folder that no option names.
    HeaderNearby { header: String, folder: String },
    /// Declarations that clang does not accept are left out; the first of them.
    NotAccepted {
        file: String,
        line: u32,
        message: String,
    },
    /// A function of which only the type is known: a clock, say.
    AnyValue { function: String },
    /// A function that the file declares and does not define.
    NoBody { function: String, gives_value: bool },
    /// The cells of an argument are smaller than its elements; `bytes` is the size of a cell, `cells` how many an
    /// element has.
    PartsOfElements {
        argument: String,
        bytes: u64,
        cells: u64,
    },
    /// The program asked about the device, and got an answer.
    SmallMachine { function: String },
    /// Events of copies by a work-group are waited for by all of it.
    GroupEventsBarrier {},
    /// Asked by a test of the alignment of a pointer.
    ArraysAligned { bytes: u64 },
    /// A variable at file scope that device code uses, declared as one of the host.
    DeviceVariable { variable: String },
    /// Textures are read while the kernel runs.
    TexturesApart {},
    /// The kernel is an instance of a template that the file does not instantiate, with arguments that were chosen.
    ChosenInstance { instance: String },
    /// A surface, of which no extents are known.
    InsideSurface { surface: String },
    /// Sums of a warp's matrices.
    SumsInOrder {},
    /// A function that devices approximate.
    Approximated { function: String },
    /// A thread leaves alone what its own asynchronous copies work on.
    OwnCopies {},
    /// Inline assembly without `"memory"` among its clobbers.
    AssemblyInPlace {},
    /// The launch that was given has blocks that no device of today takes; `refusal` says what such a device says.
    BlocksBeyondDevices { refusal: String },
    /// `main` asks about its command line, and nothing is given.
    BareCommandLine {},
    /// What a project file says of how its sources are read, as options of a command line.
    ProjectOptions { file: String, options: String },
    /// An option of a compile command that could change what the program means.
    OptionNotFollowed { option: String },
}

/// A counter of a loop, by the line of its step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// The variable.
    pub counter: String,
    /// Of its step, from 1.
    pub line: u32,
}

/// The fields `assumptions` (sentences) and `assumed` (objects) of a report: for `#[serde(flatten, serialize_with)]`.
///
/// # Errors
/// Those of the serializer.
pub fn in_report<S: Serializer>(
    assumptions: &Statements<Assumption>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    as_fields(assumptions, ("assumptions", "assumed"), serializer)
}

impl Statement for Assumption {
    fn says(&self, other: &Assumption) -> bool {
        use Assumption::*;
        let implied = match (self, other) {
            (ArraysAligned { bytes }, ArraysAligned { bytes: fewer }) => {
                bytes.is_multiple_of(*fewer)
            }
            (CountersDoNotOverflow { counters }, CountersDoNotOverflow { counters: fewer }) => {
                fewer.iter().all(|one| counters.contains(one))
            }
            (
                NoBody {
                    function,
                    gives_value: true,
                },
                AnyValue { function: other },
            ) => function == other,
            _ => false,
        };
        implied || self == other
    }
}

impl Display for Assumption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        use Assumption::*;
        match self {
            NoAliasing { kernel } => write!(f, "the pointer arguments of `{kernel}` do not alias"),
            FirstElements {} => {
                f.write_str("pointer arguments point at the first elements of their memory")
            }
            LaunchBounds { kernel, threads } => write!(
                f,
                "a block of `{kernel}` has at most {threads} threads, as it is declared (`__launch_bounds__`)"
            ),
            LaunchSizes {} => f.write_str(
                "gridDim.d * blockDim.d < 2^31 in each dimension, and a block has at most 1024 \
                 threads, 64 of them in z",
            ),
            LaunchThreads { kernel, threads } => write!(
                f,
                "gridDim.d * blockDim.d <= 2^{} in each dimension at launches of `{kernel}`: with more threads numbers in it \
                 may wrap around (--large-launches: no such bound)",
                threads.ilog2()
            ),
            UnitAxes { axes, numbered } => {
                let axes = axes.join(" = ");
                write!(f, "{axes} = 1: the kernel does not ask about those axes")?;
                match numbered {
                    true => f.write_str(
                        ", but where all threads are numbered (ranks, tiles, counting barriers)",
                    ),
                    false => Ok(()),
                }
            }
            ExtentNotNegative { array } => {
                write!(f, "the extent given for {array} is not negative")
            }
            CounterHasRoom {
                line,
                limit,
                counter,
                bits,
            } => write!(
                f,
                "line {line}: `{limit}` leaves room for one more step of `{counter}` in its {bits} \
                 signed bits"
            ),
            CountersDoNotOverflow { counters } => {
                let in_words = |c: &Counter| format!("`{}` at line {}", c.counter, c.line);
                let counters: Vec<String> = counters.iter().map(in_words).collect();
                let counters = counters.join(", ");
                write!(
                    f,
                    "no signed counter of a loop overflows in the loop's own step: {counters}"
                )
            }
            ContentsAsDeclared { kernel, arrays } => {
                let has = if arrays.len() == 1 { "has" } else { "have" };
                let arrays = quoted(arrays);
                write!(
                    f,
                    "when `{kernel}` starts, {arrays} still {has} what the file declares"
                )
            }
            GivenValue { name, value } => write!(f, "{name} = {value}, as given"),
            SharedBytesPerThread { bytes } => write!(
                f,
                "a launch has {bytes} bytes of dynamic shared memory for each thread of a block"
            ),
            BarrierAcquiresForVolatile {} => f.write_str(
                "once a thread of a block has read, by an atomic, what a fence and an atomic of another \
                 thread released, a barrier of the block orders volatile reads behind it as an acquire \
                 fence would: the CUDA guide's examples rest on it, the PTX ISA does not promise it",
            ),
            RuleCondition { rule, condition } => write!(f, "rule `{rule}` assumes {condition}"),
            FloatsAsWritten {} => f.write_str(
                "operations on floats are rounded one by one, as the source has them (`nvcc -fmad=false`)",
            ),
            NotNull { entry, arguments } => {
                let first = arguments.first().map_or("", String::as_str);
                let is = if arguments.len() == 1 { "is no null pointer" } else { "are no null pointers" };
                write!(
                    f,
                    "{} of `{entry}` {is} (--arg {first}=0 judges that)",
                    quoted(arguments)
                )
            }
            FloatsReassociated {} => f.write_str(
                "floats are compared modulo associativity and commutativity of + and *, which leave what 0 is added to \
                 and what is multiplied by 1",
            ),
            FloatsAreReals {} => f.write_str(
                "floats are real numbers: nothing is rounded, infinite by overflow or no number, and the old program \
                 nowhere divides by 0, takes roots of negative numbers or logarithms of others than positive ones, or \
                 calls functions where they have no value",
            ),
            HeaderDefinition { definition } => write!(
                f,
                "the header comment defines {definition}, as the option -D would"
            ),
            MissingHeader { header } => write!(
                f,
                "the missing header `{header}` declares and defines nothing that this code uses"
            ),
            HeaderNearby { header, folder } => write!(
                f,
                "the header `{header}`, of which no -I names the folder, is the one in {folder}"
            ),
            NotAccepted {
                file,
                line,
                message,
            } => write!(
                f,
                "what does not name a declaration that clang refuses, and that is left out, means the same \
                 without it; the first is at {file}:{line}: {message}"
            ),
            AnyValue { function } => write!(f, "`{function}` gives any value"),
            NoBody {
                function,
                gives_value,
            } => {
                let gives = if *gives_value { "gives any value, " } else { "" };
                write!(
                    f,
                    "`{function}`, which has no body here, {gives}touches no memory, waits for no \
                     other thread and returns"
                )
            }
            PartsOfElements {
                argument,
                bytes,
                cells,
            } => {
                let s = if *bytes == 1 { "" } else { "s" };
                write!(
                    f,
                    "`{argument}` is seen as parts of its elements: its extent and its indices count \
                     cells of {bytes} byte{s}, {cells} for each element"
                )
            }
            SmallMachine { function } => write!(
                f,
                "`{function}` speaks of the small machine of docs/host.md"
            ),
            GroupEventsBarrier {} => {
                f.write_str("`wait_group_events` is taken for a barrier of the work-group")
            }
            ArraysAligned { bytes } => write!(f, "arrays begin at multiples of {bytes} bytes"),
            DeviceVariable { variable } => write!(
                f,
                "`{variable}`, which is declared without `__device__`, is a variable of the device"
            ),
            TexturesApart {} => {
                f.write_str("what textures hold is no memory that the kernel writes")
            }
            ChosenInstance { instance } => write!(
                f,
                "the template is judged as `{instance}`, an instance chosen because the file makes none (--instantiate \
                 makes others)"
            ),
            InsideSurface { surface } => write!(
                f,
                "accesses to the surface `{surface}` lie inside it where their boundary mode is that of a trap"
            ),
            OwnCopies {} => f.write_str(
                "a thread with an asynchronous copy under way does not itself write what is copied or where it goes",
            ),
            AssemblyInPlace {} => f.write_str(
                "inline assembly that does not clobber memory stays where it is among accesses to memory",
            ),
            Approximated { function } => write!(
                f,
                "`{function}` gives what the exact functions give that it stands for, where a device approximates them"
            ),
            SumsInOrder {} => f.write_str(
                "`mma_sync` adds products in the order of their numbers and rounds after each, where a device may add in another",
            ),
            BlocksBeyondDevices { refusal } => write!(
                f,
                "a device takes the launch that is given, which those of today refuse: {refusal}"
            ),
            BareCommandLine {} => {
                f.write_str("the command line is the program's name alone (--argv gives one)")
            }
            ProjectOptions { file, options } => write!(f, "{file} gives: {options}"),
            OptionNotFollowed { option } => write!(
                f,
                "the option `{option}` of the compile command changes nothing of what is judged"
            ),
        }
    }
}
