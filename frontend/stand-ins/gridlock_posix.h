// What C's and Unix's headers declare beyond the part of the library that is known by name: times, the command
// line, files, errors, threads of the host. Calls are refused by name.
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
typedef unsigned int uid_t;
typedef unsigned int mode_t;
#define _POSIX_VERSION 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_MONOTONIC_CLOCK 0
struct timeval { long tv_sec; long tv_usec; };
struct timespec { long tv_sec; long tv_nsec; };
struct timezone { int tz_minuteswest; int tz_dsttime; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
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
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss; };
int getrusage(int, struct rusage *);
#define RUSAGE_SELF 0
typedef unsigned long rlim_t;
struct rlimit { rlim_t rlim_cur, rlim_max; };
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
#define RLIMIT_STACK 3
struct tms { clock_t tms_utime, tms_stime, tms_cutime, tms_cstime; };
clock_t times(struct tms *);
struct stat { mode_t st_mode; off_t st_size; time_t st_mtime; };
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int mkdir(const char *, mode_t);
int open(const char *, int, ...);
off_t lseek(int, off_t, int);
int unlink(const char *);
pid_t getpid(void);
long sysconf(int);
char *getcwd(char *, size_t);
char *basename(char *);
char *dirname(char *);
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 64
#define O_TRUNC 512
typedef struct gridlock_thread *pthread_t;
typedef struct { int of; } pthread_attr_t;
typedef struct { int of; } pthread_mutex_t;
typedef struct { int of; } pthread_mutexattr_t;
typedef struct { int of; } pthread_cond_t;
typedef struct { int of; } pthread_condattr_t;
typedef struct { int of; } pthread_barrier_t;
typedef struct { int of; } pthread_barrierattr_t;
#define PTHREAD_MUTEX_INITIALIZER {0}
#define PTHREAD_COND_INITIALIZER {0}
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
#define PTHREAD_CREATE_JOINABLE 0
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned int);
int pthread_barrier_wait(pthread_barrier_t *);
int pthread_barrier_destroy(pthread_barrier_t *);
typedef struct gridlock_folder DIR;
struct dirent { unsigned long d_ino; unsigned char d_type; char d_name[256]; };
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int closedir(DIR *);
typedef struct { size_t gl_pathc; char **gl_pathv; size_t gl_offs; } glob_t;
int glob(const char *, int, int (*)(const char *, int), glob_t *);
void globfree(glob_t *);
typedef unsigned int socklen_t;
struct sockaddr { unsigned short sa_family; char sa_data[14]; };
struct in_addr { unsigned int s_addr; };
struct sockaddr_in { unsigned short sin_family, sin_port; struct in_addr sin_addr; char sin_zero[8]; };
struct sockaddr_un { unsigned short sun_family; char sun_path[108]; };
int socket(int, int, int);
int bind(int, const struct sockaddr *, socklen_t);
int listen(int, int);
int accept(int, struct sockaddr *, socklen_t *);
int connect(int, const struct sockaddr *, socklen_t);
int setsockopt(int, int, int, const void *, socklen_t);
ssize_t send(int, const void *, size_t, int);
ssize_t recv(int, void *, size_t, int);
unsigned short htons(unsigned short);
unsigned short ntohs(unsigned short);
unsigned int htonl(unsigned int);
unsigned int ntohl(unsigned int);
int inet_pton(int, const char *, void *);
#define AF_UNIX 1
#define AF_INET 2
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define INADDR_ANY 0u
int gethostname(char *, size_t);
pid_t fork(void);
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
struct utsname { char sysname[65], nodename[65], release[65], version[65], machine[65]; };
int uname(struct utsname *);
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
