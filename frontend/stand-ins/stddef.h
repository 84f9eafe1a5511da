#pragma once
// This text has several names, and a file may have a type of its own behind the first.
#ifndef GRIDLOCK_STDDEF_TYPES
#define GRIDLOCK_STDDEF_TYPES
#ifndef size_t
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef ptrdiff_t
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#endif
#endif
#ifndef NULL
#ifdef __cplusplus
#define NULL __null
#else
#define NULL ((void *)0)
#endif
#endif
