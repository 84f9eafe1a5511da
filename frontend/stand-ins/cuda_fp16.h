// Numbers of 16 bits: 5 of exponent, 10 of fraction.
#pragma once
#ifndef GRIDLOCK_WITHOUT_HALF
#include <gridlock_fp16.h>
#endif
