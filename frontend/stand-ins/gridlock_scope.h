// The scopes of libcu++.
#pragma once
#ifdef __CUDA__
// The accesses of a function have the place of its call.
__device__ void gridlock_in_place();
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
} // namespace cuda
#endif
