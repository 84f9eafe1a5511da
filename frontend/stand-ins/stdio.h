#pragma once
#include <gridlock_libc.h>
#include <stddef.h>
