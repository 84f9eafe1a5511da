// Output that is read and given no meaning.
#pragma once
#include <gridlock_std.h>
