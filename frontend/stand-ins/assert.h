#include <gridlock_libc.h>
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) gridlock_assert__(condition)
#endif
