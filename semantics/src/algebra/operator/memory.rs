//! Where memory is allocated and copied.

use crate::algebra::value::ArrayRef;
use serde::{Deserialize, Serialize};

/// Direction of a copy between memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CopyKind {
    /// `copy_gpu`
    HostToDevice,
    /// `copy_back`
    DeviceToHost,
    /// Between places of devices, or of one.
    DeviceToDevice,
    /// Between places of the host (`memcpy`).
    HostToHost,
    /// As the pointers say (`cudaMemcpyDefault`); managed memory is the device's.
    Default,
}

impl CopyKind {
    /// Whether the destination is in the host's memory, and whether the source is.
    pub const fn on_host(self, dst: ArrayRef, src: ArrayRef) -> (bool, bool) {
        match self {
            CopyKind::HostToDevice => (false, true),
            CopyKind::DeviceToHost => (true, false),
            CopyKind::DeviceToDevice => (false, false),
            CopyKind::HostToHost => (true, true),
            CopyKind::Default => (dst.is_hosts(), src.is_hosts()),
        }
    }

    /// The direction of a copy between these.
    pub const fn resolved(self, dst: ArrayRef, src: ArrayRef) -> CopyKind {
        match self.on_host(dst, src) {
            (false, true) => CopyKind::HostToDevice,
            (true, false) => CopyKind::DeviceToHost,
            (false, false) => CopyKind::DeviceToDevice,
            (true, true) => CopyKind::HostToHost,
        }
    }
}

/// Memory an allocation is made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AllocSpace {
    /// `malloc`, given back by `free`.
    Host,
    /// Host memory that copies of a stream may use while the host goes on (`cudaMallocHost`).
    Pinned,
    /// `cudaMalloc`, given back by `cudaFree`: memory of the device that is current.
    Global,
    /// Memory that the host and every device reach (`cudaMallocManaged`).
    Managed,
    /// Host memory that `delete` gives back (`new`).
    New,
    /// The host's, and goes with the object that has it (a vector's elements): no call gives it
    /// back, and it is no leak.
    Owned,
    /// The same in the memory of the device that is current (the elements of `thrust::device_vector`).
    OwnedGlobal,
}

impl AllocSpace {
    /// Whether the memory goes with an object, so that it is no leak.
    pub const fn is_owned(self) -> bool {
        matches!(self, AllocSpace::Owned | AllocSpace::OwnedGlobal)
    }

    /// Whether it is memory of the device that is current.
    pub const fn is_of_device(self) -> bool {
        matches!(self, AllocSpace::Global | AllocSpace::OwnedGlobal)
    }

    /// Whether the arrays are numbered among the host's.
    pub const fn is_on_host(self) -> bool {
        matches!(
            self,
            AllocSpace::Host | AllocSpace::Pinned | AllocSpace::New | AllocSpace::Owned
        )
    }
}
