// What the runtime says of the machine: a small device of compute capability 8.0, with the limits that every
// device of it has (CUDA C++ Programming Guide, "Compute Capabilities"). How many multiprocessors there are and how
// many blocks fit on one is said to be little, so that programs that ask make small grids.
#pragma once
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *of, int) {
  of->name[0] = 0;
  of->totalGlobalMem = 1ul << 32;
  of->sharedMemPerBlock = 49152;
  of->warpSize = 32;
  of->maxThreadsPerBlock = 1024;
  of->maxThreadsDim[0] = 1024;
  of->maxThreadsDim[1] = 1024;
  of->maxThreadsDim[2] = 64;
  of->maxGridSize[0] = 2147483647;
  of->maxGridSize[1] = 65535;
  of->maxGridSize[2] = 65535;
  of->multiProcessorCount = 2;
  of->major = 8;
  of->minor = 0;
  of->clockRate = 1000000;
  of->memoryClockRate = 1000000;
  of->memoryBusWidth = 256;
  of->l2CacheSize = 1 << 22;
  of->maxThreadsPerMultiProcessor = 2048;
  of->maxBlocksPerMultiProcessor = 32;
  of->regsPerBlock = 65536;
  of->regsPerMultiprocessor = 65536;
  of->totalConstMem = 65536;
  of->sharedMemPerMultiprocessor = 102400;
  of->sharedMemPerBlockOptin = 101376;
  of->memPitch = 2147483647;
  of->textureAlignment = 512;
  of->concurrentKernels = 1;
  of->asyncEngineCount = 1;
  of->deviceOverlap = 1;
  of->canMapHostMemory = 1;
  of->unifiedAddressing = 1;
  of->integrated = 0;
  of->computeMode = 0;
  of->cooperativeLaunch = 1;
  of->managedMemory = 1;
  of->concurrentManagedAccess = 1;
  of->pageableMemoryAccess = 0;
  of->ECCEnabled = 0;
  of->tccDriver = 0;
  of->pciBusID = 0;
  of->pciDeviceID = 0;
  of->pciDomainID = 0;
  of->kernelExecTimeoutEnabled = 0;
  return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr of, int) {
  int is = 1;
  switch (of) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY: is = 1024; break;
  case cudaDevAttrMaxBlockDimZ: is = 64; break;
  case cudaDevAttrMaxGridDimX: is = 2147483647; break;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ: is = 65535; break;
  case cudaDevAttrMaxSharedMemoryPerBlock: is = 49152; break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: is = 101376; break;
  case cudaDevAttrTotalConstantMemory: is = 65536; break;
  case cudaDevAttrWarpSize: is = 32; break;
  case cudaDevAttrMaxRegistersPerBlock: is = 65536; break;
  case cudaDevAttrClockRate:
  case cudaDevAttrMemoryClockRate: is = 1000000; break;
  case cudaDevAttrMultiProcessorCount: is = 2; break;
  case cudaDevAttrGlobalMemoryBusWidth: is = 256; break;
  case cudaDevAttrL2CacheSize: is = 4194304; break;
  case cudaDevAttrMaxThreadsPerMultiProcessor: is = 2048; break;
  case cudaDevAttrComputeCapabilityMajor: is = 8; break;
  case cudaDevAttrComputeCapabilityMinor: is = 0; break;
  default: break;
  }
  *value = is;
  return cudaSuccess;
}
static inline cudaError_t cudaMemGetInfo(size_t *unused, size_t *total) {
  *unused = 1ul << 31;
  *total = 1ul << 32;
  return cudaSuccess;
}
static inline cudaError_t cudaDriverGetVersion(int *version) {
  *version = 12000;
  return cudaSuccess;
}
static inline cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = 12000;
  return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F, int, size_t) {
  *blocks = 2;
  return cudaSuccess;
}
template <class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F, size_t = 0, int = 0) {
  *grid = 4;
  *block = 128;
  return cudaSuccess;
}
