//! OpenCL devices, through a library loaded at run time: a machine without one still starts the
//! tool, and is told what is missing.

use crate::device::accelerator::{Accelerator, Buffer, LaunchArg};
use crate::device::cells::{PATTERN, decode_all, encode, encode_all};
use crate::device::{DeviceError, DeviceInfo, DeviceKind};
use crate::lowered::{Lowered, Param};
use crate::opencl::kernels;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::Launch;
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, Device};
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer as ClBuffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::platform::get_platforms;
use opencl3::program::Program as ClProgram;
use opencl3::types::{CL_BLOCKING, cl_mem};
use std::collections::BTreeMap;
use std::ptr;
use std::sync::Mutex;
use std::time::Instant;

/// Widest work-group we launch, in each dimension: printing relies on it.
const MAX_LOCAL: u32 = 65536;

struct Allocation {
    memory: ClBuffer<u8>,
    elem: ScalarType,
}

/// A device of an OpenCL platform with a program built.
pub struct OpenCl {
    // Dropped in this order: memory and kernels before what they live in.
    buffers: Vec<Option<Allocation>>,
    kernels: BTreeMap<ProcId, Kernel>,
    queue: CommandQueue,
    _built: ClProgram,
    context: Context,
    info: DeviceInfo,
    lowered: Lowered,
    program: Program,
    declared: BTreeMap<ArrayId, Buffer>,
}

fn missing(why: impl Into<String>) -> DeviceError {
    DeviceError::Missing {
        what: "OpenCL".to_owned(),
        why: why.into(),
    }
}

/// Platforms make their devices when they are first asked, not always safely from two threads.
static ASKING: Mutex<()> = Mutex::new(());

/// Every device of every platform.
fn devices() -> Result<Vec<(Device, DeviceInfo)>, DeviceError> {
    let _asking = ASKING
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let advice =
        "install an OpenCL library and a platform (Debian: ocl-icd-libopencl1, pocl-opencl-icd)";
    let platforms = get_platforms()
        .map_err(|error| missing(format!("libOpenCL.so.1 cannot be used ({error}); {advice}")))?;
    let mut found = Vec::new();
    for platform in platforms {
        let text = |value: Result<String, _>| {
            value.unwrap_or_else(|_: opencl3::error_codes::ClError| "unknown".to_owned())
        };
        for id in platform.get_devices(CL_DEVICE_TYPE_ALL).unwrap_or_default() {
            let device = Device::new(id);
            let driver = format!(
                "{}, {}, driver {}",
                text(platform.name()),
                text(device.version()),
                text(device.driver_version())
            );
            let info = DeviceInfo {
                kind: DeviceKind::OpenCl,
                name: text(device.name()).trim().to_owned(),
                driver,
                compute_capability: None,
                compiler: format!("{}'s OpenCL C compiler", text(platform.name())),
                flags: build_options(&device, &text(platform.name())),
                code_hash: None,
            };
            found.push((device, info));
        }
    }
    if found.is_empty() {
        return Err(missing(format!("no platform has a device; {advice}")));
    }
    Ok(found)
}

/// No fast mathematics; division and square root of floats correctly rounded where the device can.
/// PoCL's optimiser miscompiles loops with barriers (tests/findings/pocl-3.1-barrier-loop), so it
/// is switched off there.
fn build_options(device: &Device, platform: &str) -> Vec<String> {
    let mut options = vec!["-cl-std=CL1.2".to_owned()];
    if platform == "Portable Computing Language" {
        options.push("-cl-opt-disable".to_owned());
    }
    let config = device.single_fp_config().unwrap_or(0);
    if config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0 {
        options.push("-cl-fp32-correctly-rounded-divide-sqrt".to_owned());
    }
    options
}

/// What OpenCL devices this machine has.
///
/// # Errors
/// [`DeviceError::Missing`] when it has none.
pub fn list() -> Result<Vec<DeviceInfo>, DeviceError> {
    Ok(devices()?.into_iter().map(|(_, info)| info).collect())
}

impl OpenCl {
    /// Lowers the program's kernels and builds them for the device.
    ///
    /// # Errors
    /// [`DeviceError::Missing`], [`DeviceError::Unsupported`] when the program has no OpenCL C
    /// spelling, [`DeviceError::Compile`], [`DeviceError::Api`].
    pub fn new(program: &Program) -> Result<OpenCl, DeviceError> {
        let wanted = std::env::var("GRIDLOCK_OPENCL_DEVICE").unwrap_or_default();
        let (device, info) = devices()?
            .into_iter()
            .find(|(_, info)| info.name.contains(&wanted))
            .ok_or_else(|| missing(format!("no device's name contains `{wanted}`")))?;
        let lowered = kernels(program).map_err(|e| DeviceError::unsupported(e.to_string()))?;
        let context =
            Context::from_device(&device).map_err(|e| DeviceError::api("clCreateContext", e))?;
        let queue = CommandQueue::create_default(&context, 0)
            .map_err(|e| DeviceError::api("clCreateCommandQueue", e))?;
        let built =
            ClProgram::create_and_build_from_source(&context, &lowered.text, &info.flags.join(" "))
                .map_err(|log| DeviceError::Compile {
                    log: format!("{log}\n{}", lowered.text),
                })?;
        let mut kernels = BTreeMap::new();
        for kernel in &lowered.kernels {
            let made = Kernel::create(&built, &kernel.name)
                .map_err(|e| DeviceError::api("clCreateKernel", e))?;
            kernels.insert(kernel.proc, made);
        }
        Ok(OpenCl {
            buffers: Vec::new(),
            kernels,
            queue,
            _built: built,
            context,
            info,
            lowered,
            program: program.clone(),
            declared: BTreeMap::new(),
        })
    }

    /// The text that was built.
    pub fn lowered(&self) -> &Lowered {
        &self.lowered
    }

    fn allocation(&mut self, buffer: Buffer) -> Result<&mut Allocation, DeviceError> {
        self.buffers
            .get_mut(buffer.0)
            .and_then(Option::as_mut)
            .ok_or_else(|| DeviceError::setup("a buffer that was freed"))
    }

    fn write_bytes(
        &mut self,
        buffer: Buffer,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), DeviceError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let Some(Some(target)) = self.buffers.get_mut(buffer.0) else {
            return Err(DeviceError::setup("a buffer that was freed"));
        };
        // SAFETY: the buffer is alive, the call blocks until `bytes` is read; OpenCL checks sizes.
        unsafe {
            self.queue.enqueue_write_buffer(
                &mut target.memory,
                CL_BLOCKING,
                offset as usize,
                bytes,
                &[],
            )
        }
        .map_err(|e| DeviceError::api("clEnqueueWriteBuffer", e))?;
        Ok(())
    }
}

impl Accelerator for OpenCl {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.buffers.clear();
        self.declared.clear();
        Ok(())
    }

    fn alloc(&mut self, elem: ScalarType, cells: u64) -> Result<Buffer, DeviceError> {
        // OpenCL has no buffers of size 0.
        let bytes = (cells.max(1) * elem.size()) as usize;
        // SAFETY: no host pointer is given.
        let memory = unsafe {
            ClBuffer::<u8>::create(&self.context, CL_MEM_READ_WRITE, bytes, ptr::null_mut())
        }
        .map_err(|e| DeviceError::api("clCreateBuffer", e))?;
        self.buffers.push(Some(Allocation { memory, elem }));
        let buffer = Buffer(self.buffers.len() - 1);
        self.write_bytes(buffer, 0, &vec![PATTERN; bytes])?;
        Ok(buffer)
    }

    fn declared(&mut self, array: ArrayId) -> Result<Buffer, DeviceError> {
        if let Some(buffer) = self.declared.get(&array) {
            return Ok(*buffer);
        }
        let decl = self.program.array(array).clone();
        if decl.space != gridlock_semantics::algebra::declaration::Space::Global {
            let message = format!(
                "`{}` is part of the OpenCL program and cannot be copied",
                decl.name
            );
            return Err(DeviceError::Unsupported { message });
        }
        let Extent::Fixed(cells) = decl.extent else {
            return Err(DeviceError::unsupported("a global array without extent"));
        };
        let buffer = self.alloc(decl.elem, cells)?;
        if let Some(init) = &decl.init {
            let mut values = init.clone();
            values.resize(cells as usize, Value::zero(decl.elem));
            self.write(buffer, 0, &values)?;
        }
        self.declared.insert(array, buffer);
        Ok(buffer)
    }

    fn write(&mut self, buffer: Buffer, offset: u64, cells: &[Value]) -> Result<(), DeviceError> {
        let elem = self.allocation(buffer)?.elem;
        self.write_bytes(buffer, offset * elem.size(), &encode_all(cells, elem))
    }

    fn read(&mut self, buffer: Buffer, offset: u64, cells: u64) -> Result<Vec<Value>, DeviceError> {
        let elem = self.allocation(buffer)?.elem;
        let mut bytes = vec![0; (cells * elem.size()) as usize];
        if bytes.is_empty() {
            return Ok(vec![]);
        }
        let Some(Some(source)) = self.buffers.get(buffer.0) else {
            return Err(DeviceError::setup("a buffer that was freed"));
        };
        // SAFETY: the buffer is alive and the call blocks until `bytes` is filled.
        unsafe {
            self.queue.enqueue_read_buffer(
                &source.memory,
                CL_BLOCKING,
                (offset * elem.size()) as usize,
                &mut bytes,
                &[],
            )
        }
        .map_err(|e| DeviceError::api("clEnqueueReadBuffer", e))?;
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
        if launch.block.iter().any(|&extent| extent > MAX_LOCAL) {
            let message = format!("a work-group wider than {MAX_LOCAL}");
            return Err(DeviceError::Unsupported { message });
        }
        let Some(interface) = self.lowered.kernel(kernel).cloned() else {
            return Err(DeviceError::setup("there is no such kernel"));
        };
        let mut given = args.iter();
        for (index, param) in interface.params.iter().enumerate() {
            let (mem, scalar): (Option<cl_mem>, Option<(Value, ScalarType)>) = match param {
                Param::Scalar { ty, .. } => match given.next() {
                    Some(LaunchArg::Scalar(value)) => (None, Some((*value, *ty))),
                    _ => return Err(DeviceError::setup("an argument is no number")),
                },
                Param::Pointer { .. } => match given.next() {
                    Some(LaunchArg::Pointer { buffer, offset: 0 }) => {
                        (Some(self.allocation(*buffer)?.memory.get()), None)
                    }
                    Some(LaunchArg::Pointer { .. }) => {
                        let message = "an argument that points into the middle of an array";
                        return Err(DeviceError::unsupported(message));
                    }
                    Some(LaunchArg::Null) => (Some(ptr::null_mut()), None),
                    _ => return Err(DeviceError::setup("an argument is no pointer")),
                },
                Param::GlobalArray { array, .. } => {
                    let buffer = self.declared(*array)?;
                    (Some(self.allocation(buffer)?.memory.get()), None)
                }
                Param::DynamicShared { .. } => (None, None),
            };
            let kernel = self
                .kernels
                .get(&kernel)
                .ok_or_else(|| DeviceError::setup("there is no such kernel"))?;
            let index = index as u32;
            // SAFETY: each argument has the size its parameter has in the text that was built.
            let set = unsafe {
                match (mem, scalar) {
                    (Some(mem), _) => kernel.set_arg(index, &mem),
                    (None, Some((value, ty))) => {
                        let mut bytes = Vec::new();
                        encode(value, ty, &mut bytes);
                        match bytes.as_slice() {
                            [a] => kernel.set_arg(index, a),
                            [a, b] => kernel.set_arg(index, &[*a, *b]),
                            [a, b, c, d] => kernel.set_arg(index, &[*a, *b, *c, *d]),
                            [a, b, c, d, e, f, g, h] => {
                                kernel.set_arg(index, &[*a, *b, *c, *d, *e, *f, *g, *h])
                            }
                            _ => return Err(DeviceError::setup("an argument of no known size")),
                        }
                    }
                    // Local memory of size 0 is refused.
                    (None, None) => {
                        kernel.set_arg_local_buffer(index, launch.shared_bytes.max(1) as usize)
                    }
                }
            };
            set.map_err(|e| DeviceError::api("clSetKernelArg", e))?;
        }
        let Some(kernel) = self.kernels.get(&kernel) else {
            return Err(DeviceError::setup("there is no such kernel"));
        };
        let local = launch.block.map(|extent| extent as usize);
        let global: Vec<usize> = launch
            .grid
            .iter()
            .zip(local)
            .map(|(&blocks, threads)| blocks as usize * threads)
            .collect();
        let start = Instant::now();
        // SAFETY: three dimensions are given; what the kernel does with memory is what we test,
        // in a process of its own.
        unsafe {
            self.queue.enqueue_nd_range_kernel(
                kernel.get(),
                3,
                ptr::null(),
                global.as_ptr(),
                local.as_ptr(),
                &[],
            )
        }
        .map_err(|e| DeviceError::api("clEnqueueNDRangeKernel", e))?;
        self.queue
            .finish()
            .map_err(|e| DeviceError::api("clFinish", e))?;
        Ok(start.elapsed().as_secs_f64())
    }
}
