// What C's and Unix's headers declare beyond the part of the library that is known by name: times, the command
// line, files, errors. Calls are refused by name.
#pragma once
#include <stddef.h>
#include <gridlock_libc.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef long time_t;
typedef long off_t;
typedef long ssize_t;
typedef int pid_t;
struct timeval { long tv_sec; long tv_usec; };
struct timespec { long tv_sec; long tv_nsec; };
struct timezone { int tz_minuteswest; int tz_dsttime; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
time_t time(time_t *);
double difftime(time_t, time_t);
struct tm *localtime(const time_t *);
char *ctime(const time_t *);
char *asctime(const struct tm *);
unsigned int sleep(unsigned int);
int usleep(unsigned int);
int getopt(int, char *const *, const char *);
extern char *optarg;
extern int optind, opterr, optopt;
struct option { const char *name; int has_arg; int *flag; int val; };
int getopt_long(int, char *const *, const char *, const struct option *, int *);
#define no_argument 0
#define required_argument 1
#define optional_argument 2
int access(const char *, int);
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int isdigit(int);
int isalpha(int);
int isspace(int);
int isalnum(int);
int isupper(int);
int islower(int);
int toupper(int);
int tolower(int);
int *__errno_location(void);
#define errno (*__errno_location())
#define EINVAL 22
int strncasecmp(const char *, const char *, size_t);
int strcasecmp(const char *, const char *);
double omp_get_wtime(void);
long gridlock_time(void);
int omp_get_max_threads(void);
int omp_get_num_threads(void);
int omp_get_thread_num(void);
void omp_set_num_threads(int);
#ifdef __cplusplus
}
#endif
static inline int gettimeofday(struct timeval *at, void *zone) {
  at->tv_sec = gridlock_time();
  at->tv_usec = gridlock_time();
  return 0;
}
static inline int clock_gettime(int which, struct timespec *at) {
  at->tv_sec = gridlock_time();
  at->tv_nsec = gridlock_time();
  return 0;
}
