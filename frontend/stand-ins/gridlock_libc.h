// The part of the C library that the front end knows by name.
#pragma once
#ifndef GRIDLOCK__
#define GRIDLOCK__
#endif
#ifdef __cplusplus
#define GRIDLOCK_NOTHROW__
extern "C" {
#else
#define GRIDLOCK_NOTHROW__
#endif

typedef __SIZE_TYPE__ size_t;
typedef struct gridlock_file FILE;
extern FILE *stdin, *stdout, *stderr;
GRIDLOCK__ int printf(const char *, ...);
GRIDLOCK__ int fprintf(FILE *, const char *, ...);
GRIDLOCK__ int puts(const char *);
GRIDLOCK__ int putchar(int);
GRIDLOCK__ int fflush(FILE *);
GRIDLOCK__ void perror(const char *);
GRIDLOCK__ int scanf(const char *, ...);

GRIDLOCK__ void *malloc(size_t);
GRIDLOCK__ void *calloc(size_t, size_t);
GRIDLOCK__ void *realloc(void *, size_t);
GRIDLOCK__ void free(void *);
GRIDLOCK__ void exit(int);
GRIDLOCK__ void abort(void);
GRIDLOCK__ int rand(void);
GRIDLOCK__ void srand(unsigned int);
GRIDLOCK__ int atoi(const char *);
GRIDLOCK__ void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

GRIDLOCK__ void *memcpy(void *, const void *, size_t);
GRIDLOCK__ void *memmove(void *, const void *, size_t);
GRIDLOCK__ void *memset(void *, int, size_t);
GRIDLOCK__ int memcmp(const void *, const void *, size_t);
GRIDLOCK__ size_t strlen(const char *);

GRIDLOCK__ int abs(int);
GRIDLOCK__ long labs(long);
GRIDLOCK__ long long llabs(long long);
#define GRIDLOCK_MATH1__(F)            \
  GRIDLOCK__ double F(double);         \
  GRIDLOCK__ float F##f(float);
#define GRIDLOCK_MATH2__(F)            \
  GRIDLOCK__ double F(double, double); \
  GRIDLOCK__ float F##f(float, float);
GRIDLOCK_MATH1__(fabs)
GRIDLOCK_MATH1__(sqrt)
GRIDLOCK_MATH1__(floor)
GRIDLOCK_MATH1__(ceil)
GRIDLOCK_MATH1__(trunc)
GRIDLOCK_MATH1__(round)
GRIDLOCK_MATH1__(sin)
GRIDLOCK_MATH1__(cos)
GRIDLOCK_MATH1__(tan)
GRIDLOCK_MATH1__(exp)
GRIDLOCK_MATH1__(log)
GRIDLOCK_MATH1__(log2)
GRIDLOCK_MATH1__(log10)
GRIDLOCK_MATH1__(exp2)
GRIDLOCK_MATH1__(tanh)
GRIDLOCK_MATH2__(pow)
GRIDLOCK_MATH2__(fmod)
GRIDLOCK_MATH2__(fmin)
GRIDLOCK_MATH2__(fmax)
GRIDLOCK_MATH2__(atan2)
GRIDLOCK__ double fma(double, double, double);
GRIDLOCK__ float fmaf(float, float, float);

#ifdef __cplusplus
GRIDLOCK__ void gridlock_assert__(bool);
GRIDLOCK__ void gridlock_assume__(bool);
}
#else
GRIDLOCK__ void gridlock_assert__(_Bool);
GRIDLOCK__ void gridlock_assume__(_Bool);
#endif
