// What the helpers beside CUDA's samples are called with, for programs that come without them: checks of what
// always succeeds, the choice of a device, timers, command lines.
#ifndef GRIDLOCK_HELPERS
#define GRIDLOCK_HELPERS
#include <cuda_runtime.h>
#include <gridlock_posix.h>
#include <stdlib.h>
#define EXIT_WAIVED 2
#define checkCudaErrors(call) ((void)(call))
#define getLastCudaError(text) ((void)cudaGetLastError())
#define printLastCudaError(text) ((void)cudaGetLastError())
#define sdkCreateTimer(timer) true
#define sdkDeleteTimer(timer) true
#define sdkStartTimer(timer) true
#define sdkStopTimer(timer) true
#define sdkResetTimer(timer) true
#define sdkGetTimerValue(timer) 0.0f
#define sdkGetAverageTimerValue(timer) 0.0f
typedef long StopWatchInterface_handle;
#define StopWatchInterface gridlock_stop_watch
typedef int gridlock_stop_watch;
inline int findCudaDevice(int, const char **) { return 0; }
inline int _ConvertSMVer2Cores(int, int) { return 64; }
inline bool checkCudaCapabilities(int, int) { return true; }
#define checkCudaDrvErrors(call) ((void)(call))
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int gpuDeviceInit(int) { return 0; }
bool checkCmdLineFlag(const int, const char **, const char *);
int getCmdLineArgumentInt(const int, const char **, const char *);
float getCmdLineArgumentFloat(const int, const char **, const char *);
bool getCmdLineArgumentString(const int, const char **, const char *, char **);
char *sdkFindFilePath(const char *, const char *);
#endif
