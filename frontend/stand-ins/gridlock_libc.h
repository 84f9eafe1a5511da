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
int ferror(FILE *);
void clearerr(FILE *);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int getchar(void);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
char *fgets(char *, int, FILE *);
int fputs(const char *, FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
void rewind(FILE *);
int feof(FILE *);
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_END 2

void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void exit(int);
void abort(void);
int rand(void);
void srand(unsigned int);
long random(void);
void srandom(unsigned int);
double drand48(void);
void srand48(long);
int rand_r(unsigned int *);
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
char *getenv(const char *);
int system(const char *);
void *aligned_alloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
typedef long clock_t;
#define CLOCKS_PER_SEC ((clock_t)1000000)
clock_t clock(void);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strstr(const char *, const char *);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strtok(char *, const char *);
char *strdup(const char *);
char *strerror(int);

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
namespace std {
using ::FILE;
using ::abort;
using ::aligned_alloc;
using ::atof;
using ::atoi;
using ::atol;
using ::atoll;
using ::calloc;
using ::clearerr;
using ::clock;
using ::clock_t;
using ::exit;
using ::fclose;
using ::feof;
using ::ferror;
using ::fflush;
using ::fgets;
using ::fopen;
using ::fprintf;
using ::fputs;
using ::fread;
using ::free;
using ::fscanf;
using ::fseek;
using ::ftell;
using ::fwrite;
using ::getchar;
using ::getenv;
using ::malloc;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::perror;
using ::printf;
using ::putchar;
using ::puts;
using ::qsort;
using ::rand;
using ::realloc;
using ::rewind;
using ::scanf;
#ifndef size_t
typedef __SIZE_TYPE__ size_t;
#endif
using ::snprintf;
using ::sprintf;
using ::srand;
using ::sscanf;
using ::strcat;
using ::strchr;
using ::strcmp;
using ::strcpy;
using ::strerror;
using ::strlen;
using ::strncmp;
using ::strncpy;
using ::strrchr;
using ::strstr;
using ::strtod;
using ::strtof;
using ::strtok;
using ::strtol;
using ::strtoul;
using ::system;
} // namespace std
#else
void gridlock_assert__(_Bool);
void gridlock_assume__(_Bool);
void gridlock_requires__(_Bool);
#endif
