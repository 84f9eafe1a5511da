//! CUDA GPUs through the driver (feature `gpu`).

use crate::cuda::{CudaOptions, kernels};
use crate::device::accelerator::{Accelerator, Buffer, LaunchArg};
use crate::device::cells::{PATTERN, decode_all, encode, encode_all};
use crate::device::{DeviceError, DeviceInfo, DeviceKind};
use crate::fingerprint::fingerprint;
use crate::lowered::{Lowered, Param};
use crate::nvcc::{self, FLAGS, Output};
use cust::context::Context;
use cust::device::{Device, DeviceAttribute};
use cust::event::{Event, EventFlags};
use cust::function::{BlockSize, Function, GridSize};
use cust::memory::{CopyDestination, DeviceBuffer, DevicePointer};
use cust::module::Module;
use cust::stream::{Stream, StreamFlags};
use cust::{CudaApiVersion, CudaFlags};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::Launch;
use std::ffi::c_void;
use std::path::PathBuf;

struct Allocation {
    memory: DeviceBuffer<u8>,
    elem: ScalarType,
}

/// The first CUDA device, with a program's kernels loaded.
pub struct Cuda {
    // Dropped in this order: everything before the context it lives in.
    buffers: Vec<Option<Allocation>>,
    stream: Stream,
    module: Module,
    _context: Context,
    info: DeviceInfo,
    lowered: Lowered,
    code: Code,
}

/// Machine code or assembly of a program's kernels.
#[derive(Clone, Debug)]
pub struct Code {
    /// As the driver loads them.
    pub bytes: Vec<u8>,
    /// Whether they are assembly (PTX); else machine code of the device's architecture.
    pub is_ptx: bool,
    /// The compiler with its version.
    pub compiler: String,
    /// Options it was called with, in order.
    pub flags: Vec<String>,
}

fn missing(why: impl std::fmt::Display) -> DeviceError {
    DeviceError::Missing {
        what: "a CUDA device".to_owned(),
        why: why.to_string(),
    }
}

fn first_device() -> Result<Device, DeviceError> {
    cust::init(CudaFlags::empty()).map_err(missing)?;
    Device::get_device(0).map_err(missing)
}

fn describe(device: Device) -> Result<DeviceInfo, DeviceError> {
    let api = |e| DeviceError::api("cuDeviceGetAttribute", e);
    let version = CudaApiVersion::get().map_err(|e| DeviceError::api("cuDriverGetVersion", e))?;
    let major = device
        .get_attribute(DeviceAttribute::ComputeCapabilityMajor)
        .map_err(api)?;
    let minor = device
        .get_attribute(DeviceAttribute::ComputeCapabilityMinor)
        .map_err(api)?;
    Ok(DeviceInfo {
        kind: DeviceKind::Cuda,
        name: device.name().map_err(api)?,
        driver: format!("CUDA driver API {}.{}", version.major(), version.minor()),
        compute_capability: Some(format!("{major}.{minor}")),
        compiler: String::new(),
        flags: FLAGS.iter().map(|flag| (*flag).to_owned()).collect(),
        code_hash: None,
    })
}

/// What CUDA devices this machine has.
///
/// # Errors
/// [`DeviceError::Missing`] when it has none, or no driver.
pub fn list() -> Result<Vec<DeviceInfo>, DeviceError> {
    cust::init(CudaFlags::empty()).map_err(missing)?;
    let mut found = Vec::new();
    for device in Device::devices().map_err(missing)? {
        found.push(describe(device.map_err(missing)?)?);
    }
    if found.is_empty() {
        return Err(missing("the driver knows no device"));
    }
    Ok(found)
}

/// Name of the file that holds the stored PTX of a lowered text.
pub fn stored_name(text: &str) -> String {
    format!("{}.ptx", fingerprint(text.as_bytes()))
}

/// Compiles for the device; without a compiler, takes stored PTX from `$GRIDLOCK_PTX`.
fn code_for(text: &str, capability: &str) -> Result<Code, DeviceError> {
    let compiler = match nvcc::find() {
        Ok(nvcc) => nvcc,
        Err(no_compiler) => {
            let folder = std::env::var_os("GRIDLOCK_PTX").map(PathBuf::from);
            let path = folder.map(|folder| folder.join(stored_name(text)));
            let bytes = path.as_ref().and_then(|path| std::fs::read(path).ok());
            return match bytes {
                Some(bytes) => Ok(Code {
                    bytes,
                    is_ptx: true,
                    compiler: "stored PTX".to_owned(),
                    flags: vec![],
                }),
                None => Err(missing(format!(
                    "{no_compiler}; nor is there stored PTX in $GRIDLOCK_PTX"
                ))),
            };
        }
    };
    let arch = format!("sm_{}", capability.replace('.', ""));
    let compiled = compiler
        .compile(text, &arch, Output::Cubin)
        .map_err(|error| DeviceError::Compile {
            log: format!("{error}\n{text}"),
        })?;
    Ok(Code {
        bytes: compiled.bytes,
        is_ptx: false,
        compiler: compiled.compiler,
        flags: compiled.flags,
    })
}

impl Cuda {
    /// Lowers the program's kernels, compiles them for the first device and loads them.
    ///
    /// # Errors
    /// [`DeviceError::Missing`] without driver, device or code; [`DeviceError::Unsupported`] when
    /// the program has no CUDA spelling, [`DeviceError::Compile`], [`DeviceError::Api`].
    pub fn new(program: &Program) -> Result<Cuda, DeviceError> {
        let device = first_device()?;
        let mut info = describe(device)?;
        let options = CudaOptions {
            extern_c: true,
            ..CudaOptions::default()
        };
        let lowered =
            kernels(program, &options).map_err(|e| DeviceError::unsupported(e.to_string()))?;
        let capability = info.compute_capability.clone().unwrap_or_default();
        let code = code_for(&lowered.text, &capability)?;
        info.compiler.clone_from(&code.compiler);
        info.flags.clone_from(&code.flags);
        info.code_hash = Some(fingerprint(&code.bytes));
        let context =
            Context::new(device).map_err(|e| DeviceError::api("cuDevicePrimaryCtxRetain", e))?;
        let module = load(&code)?;
        let stream = Stream::new(StreamFlags::DEFAULT, None)
            .map_err(|e| DeviceError::api("cuStreamCreateWithPriority", e))?;
        Ok(Cuda {
            buffers: Vec::new(),
            stream,
            module,
            _context: context,
            info,
            lowered,
            code,
        })
    }

    /// The text that was compiled.
    pub fn lowered(&self) -> &Lowered {
        &self.lowered
    }

    /// What was loaded.
    pub fn code(&self) -> &Code {
        &self.code
    }

    fn allocation(&mut self, buffer: Buffer) -> Result<&mut Allocation, DeviceError> {
        self.buffers
            .get_mut(buffer.0)
            .and_then(Option::as_mut)
            .ok_or_else(|| DeviceError::setup("a buffer that was freed"))
    }
}

fn load(code: &Code) -> Result<Module, DeviceError> {
    let loaded = if code.is_ptx {
        Module::from_ptx(String::from_utf8_lossy(&code.bytes), &[])
    } else {
        Module::from_cubin(&code.bytes, &[])
    };
    loaded.map_err(|e| DeviceError::api("cuModuleLoadDataEx", e))
}

impl Accelerator for Cuda {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.buffers.clear();
        // Declared arrays get their first contents again.
        self.module = load(&self.code)?;
        Ok(())
    }

    fn alloc(&mut self, elem: ScalarType, cells: u64) -> Result<Buffer, DeviceError> {
        let bytes = (cells.max(1) * elem.size()) as usize;
        let api = |e| DeviceError::api("cuMemAlloc", e);
        // SAFETY: filled before anything reads it.
        let mut memory = unsafe { DeviceBuffer::<u8>::uninitialized(bytes) }.map_err(api)?;
        memory
            .set_8(PATTERN)
            .map_err(|e| DeviceError::api("cuMemsetD8", e))?;
        self.buffers.push(Some(Allocation { memory, elem }));
        Ok(Buffer(self.buffers.len() - 1))
    }

    fn declared(&mut self, _: ArrayId) -> Result<Buffer, DeviceError> {
        let message = "host access to declared device arrays";
        Err(DeviceError::unsupported(message))
    }

    fn write(&mut self, buffer: Buffer, offset: u64, cells: &[Value]) -> Result<(), DeviceError> {
        let allocation = self.allocation(buffer)?;
        let bytes = encode_all(cells, allocation.elem);
        if bytes.is_empty() {
            return Ok(());
        }
        let start = (offset * allocation.elem.size()) as usize;
        let mut target = allocation.memory.index(start..start + bytes.len());
        target
            .copy_from(&bytes)
            .map_err(|e| DeviceError::api("cuMemcpyHtoD", e))
    }

    fn read(&mut self, buffer: Buffer, offset: u64, cells: u64) -> Result<Vec<Value>, DeviceError> {
        let allocation = self.allocation(buffer)?;
        let elem = allocation.elem;
        let mut bytes = vec![0; (cells * elem.size()) as usize];
        if bytes.is_empty() {
            return Ok(vec![]);
        }
        let start = (offset * elem.size()) as usize;
        let source = allocation.memory.index(start..start + bytes.len());
        source
            .copy_to(&mut bytes)
            .map_err(|e| DeviceError::api("cuMemcpyDtoH", e))?;
        Ok(decode_all(&bytes, elem))
    }

    fn free(&mut self, buffer: Buffer) -> Result<(), DeviceError> {
        self.allocation(buffer)?;
        self.buffers[buffer.0] = None;
        Ok(())
    }

    fn launch(
        &mut self,
        kernel: ProcId,
        launch: &Launch,
        args: &[LaunchArg],
    ) -> Result<f64, DeviceError> {
        let Some(interface) = self.lowered.kernel(kernel).cloned() else {
            return Err(DeviceError::setup("there is no such kernel"));
        };
        // Each argument in eight bytes of its own; the driver copies as many as the parameter has.
        let mut cells: Vec<[u8; 8]> = Vec::new();
        for (param, arg) in interface.params.iter().zip(args) {
            let mut bytes = Vec::new();
            match (param, arg) {
                (Param::Scalar { ty, .. }, LaunchArg::Scalar(value)) => {
                    encode(*value, *ty, &mut bytes);
                }
                (Param::Pointer { ty, .. }, LaunchArg::Pointer { buffer, offset }) => {
                    let start: DevicePointer<u8> = self.allocation(*buffer)?.memory.as_device_ptr();
                    let moved = start.wrapping_offset((offset * ty.elem.size() as i64) as isize);
                    bytes.extend(moved.as_raw().to_le_bytes());
                }
                (Param::Pointer { .. }, LaunchArg::Null) => bytes.extend([0; 8]),
                _ => return Err(DeviceError::setup("an argument does not fit its parameter")),
            }
            bytes.resize(8, 0);
            let mut cell = [0; 8];
            cell.copy_from_slice(&bytes);
            cells.push(cell);
        }
        let pointers: Vec<*mut c_void> = cells
            .iter_mut()
            .map(|cell| cell.as_mut_ptr().cast())
            .collect();
        let function = self
            .module
            .get_function(&interface.name)
            .map_err(|e| DeviceError::api("cuModuleGetFunction", e))?;
        let api = |e| DeviceError::api("cuEventRecord", e);
        let (start, end) = (
            Event::new(EventFlags::DEFAULT).map_err(api)?,
            Event::new(EventFlags::DEFAULT).map_err(api)?,
        );
        let [gx, gy, gz] = launch.grid;
        let [bx, by, bz] = launch.block;
        start.record(&self.stream).map_err(api)?;
        if interface.cooperative {
            self.launch_together(&function, launch, pointers)?;
        } else {
            // SAFETY: as many pointers as the kernel has parameters, each to enough bytes; what the
            // kernel does with memory is what we test, in a process of its own.
            unsafe {
                self.stream.launch(
                    &function,
                    GridSize::xyz(gx, gy, gz),
                    BlockSize::xyz(bx, by, bz),
                    launch.shared_bytes,
                    &pointers,
                )
            }
            .map_err(|e| DeviceError::api("cuLaunchKernel", e))?;
        }
        end.record(&self.stream).map_err(api)?;
        self.stream
            .synchronize()
            .map_err(|e| DeviceError::api("cuStreamSynchronize", e))?;
        let milliseconds = end.elapsed_time_f32(&start).map_err(api)?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

impl Cuda {
    /// A launch of which all blocks run at once, or none.
    fn launch_together(
        &self,
        function: &Function<'_>,
        launch: &Launch,
        mut arguments: Vec<*mut c_void>,
    ) -> Result<(), DeviceError> {
        let [gx, gy, gz] = launch.grid;
        let [bx, by, bz] = launch.block;
        // SAFETY: the function and the stream are alive; for the arguments see `launch`.
        let code = unsafe {
            cust::sys::cuLaunchCooperativeKernel(
                function.to_raw(),
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                launch.shared_bytes,
                self.stream.as_inner(),
                arguments.as_mut_ptr(),
            )
        };
        match code {
            cust::sys::cudaError_enum::CUDA_SUCCESS => Ok(()),
            code => Err(DeviceError::api(
                "cuLaunchCooperativeKernel",
                format!("{code:?}"),
            )),
        }
    }
}
