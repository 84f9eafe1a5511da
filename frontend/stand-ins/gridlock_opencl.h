// What an OpenCL C program may use without including anything: the types and constants that
// clang's own declarations of built-in functions speak of (OpenCL C 3.0, 6.3, 6.15).
#pragma once
#define __opencl_c_generic_address_space 1
#define __opencl_c_program_scope_global_variables 1
#define __opencl_c_atomic_order_acq_rel 1
#define __opencl_c_atomic_order_seq_cst 1
#define __opencl_c_atomic_scope_device 1
#define __opencl_c_atomic_scope_all_devices 1
#define __opencl_c_work_group_collective_functions 1

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint cl_mem_fence_flags;

typedef enum memory_scope {
  memory_scope_work_item = 0,
  memory_scope_work_group = 1,
  memory_scope_device = 2,
  memory_scope_all_svm_devices = 3,
  memory_scope_all_devices = 3,
  memory_scope_sub_group = 4
} memory_scope;
typedef enum memory_order {
  memory_order_relaxed = 0,
  memory_order_acquire = 2,
  memory_order_release = 3,
  memory_order_acq_rel = 4,
  memory_order_seq_cst = 5
} memory_order;

#define CLK_LOCAL_MEM_FENCE 0x01
#define CLK_GLOBAL_MEM_FENCE 0x02
#define CLK_IMAGE_MEM_FENCE 0x04
#define ATOMIC_VAR_INIT(x) (x)
#define ATOMIC_FLAG_INIT 0
#define NULL ((void *)0)

#define CHAR_BIT 8
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define SCHAR_MAX 127
#define SCHAR_MIN (-127 - 1)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32767 - 1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffU
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL - 1)
#define ULONG_MAX 0xffffffffffffffffUL
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#define MAXFLOAT 0x1.fffffep127f
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_PI_F 3.14159265358979323846f
#define M_PI 3.14159265358979323846

#include <gridlock_opencl_vectors.h>

int printf(__constant const char *, ...);
void gridlock_assert__(bool);
void gridlock_assume__(bool);
void gridlock_requires__(bool);
bool gridlock_hint__(void);

// Specification macros of GPUVerify's test suite: as for CUDA.
#define gridlock_axiom_named__(n, condition) \
  static bool gridlock_axiom_##n(void) { return condition; }
#define gridlock_axiom_numbered__(n, condition) gridlock_axiom_named__(n, condition)
#define __axiom(condition) gridlock_axiom_numbered__(__COUNTER__, (condition))
#define __requires(condition) gridlock_requires__(condition)
#define __assume(condition) gridlock_assume__(condition)
#define __assert(condition) gridlock_assert__(condition)
#define __implies(a, b) (!(a) || (b))
#define __invariant(...) ((void)0)
#define __global_invariant(...) ((void)0)
#define __function_wide_invariant(...) ((void)0)
#define __function_wide_candidate_invariant(...) ((void)0)
#define __candidate_invariant(...) ((void)0)
#define __candidate_global_invariant(...) ((void)0)
#define __ensures(...) ((void)0)
#define __global_ensures(...) ((void)0)
#define __requires_fresh_array(...) ((void)0)
#define __global_requires(condition) gridlock_requires__(condition)
#define __global_assert(condition) gridlock_assert__(condition)
#define __enabled() true
#define __uniform_bool(x) gridlock_hint__()
#define __uniform_int(x) gridlock_hint__()
#define __distinct_bool(x) gridlock_hint__()
#define __distinct_int(x) gridlock_hint__()
#define __other_bool(x) gridlock_hint__()
#define __other_int(x) (int)gridlock_hint__()
#define __all_bool(x) gridlock_hint__()
#define __at_most_one(x) gridlock_hint__()
#define __read(p) gridlock_hint__()
#define __write(p) gridlock_hint__()
#define __no_read(p) gridlock_hint__()
#define __no_write(p) gridlock_hint__()
#define __read_implies(p, x) gridlock_hint__()
#define __write_implies(p, x) gridlock_hint__()
#define __read_offset_bytes(p) (unsigned int)gridlock_hint__()
#define __write_offset_bytes(p) (unsigned int)gridlock_hint__()
#define __ptr_offset_bytes(p) (unsigned int)gridlock_hint__()
