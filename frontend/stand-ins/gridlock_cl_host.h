// Types of OpenCL's host code, for headers that declare things for CUDA and OpenCL both.
#pragma once
typedef int cl_int;
typedef unsigned int cl_uint;
typedef long cl_long;
typedef unsigned long cl_ulong;
typedef float cl_float;
typedef double cl_double;
typedef char cl_char;
typedef unsigned char cl_uchar;
typedef cl_uint cl_bool;
typedef struct gridlock_cl_platform *cl_platform_id;
typedef struct gridlock_cl_device *cl_device_id;
typedef struct gridlock_cl_context *cl_context;
typedef struct gridlock_cl_queue *cl_command_queue;
typedef struct gridlock_cl_memory *cl_mem;
typedef struct gridlock_cl_program *cl_program;
typedef struct gridlock_cl_kernel *cl_kernel;
typedef struct gridlock_cl_event *cl_event;
typedef cl_ulong cl_mem_flags;
typedef cl_uint cl_profiling_info;
#define CL_SUCCESS 0
