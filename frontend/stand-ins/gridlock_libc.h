// The part of the C library that the front end knows by name.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif

typedef __SIZE_TYPE__ size_t;
typedef struct gridlock_file FILE;
extern FILE *stdin, *stdout, *stderr;
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int puts(const char *);
int putchar(int);
int fflush(FILE *);
void perror(const char *);
int scanf(const char *, ...);

void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void exit(int);
void abort(void);
int rand(void);
void srand(unsigned int);
int atoi(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);

int abs(int);
long labs(long);
long long llabs(long long);
#include <gridlock_math.h>
double fma(double, double, double);
float fmaf(float, float, float);

#ifdef __cplusplus
void gridlock_assert__(bool);
void gridlock_assume__(bool);
void gridlock_requires__(bool);
}
#else
void gridlock_assert__(_Bool);
void gridlock_assume__(_Bool);
void gridlock_requires__(_Bool);
#endif
