// Constructors and conversions that numbers of 16 bits have in common, in their structs; NUMBER as in `gridlock_sixteen.h`.
__host__ __device__ NUMBER(double x) : bits(of_double(x)) {}
__host__ __device__ NUMBER(short x) : bits(of_float((float)x)) {}
__host__ __device__ NUMBER(unsigned short x) : bits(of_float((float)x)) {}
__host__ __device__ NUMBER(int x) : bits(of_double((double)x)) {}
__host__ __device__ NUMBER(unsigned int x) : bits(of_double((double)x)) {}
__host__ __device__ NUMBER(long x) : bits(of_double(gridlock_sticky((long long)x))) {}
__host__ __device__ NUMBER(unsigned long x) : bits(of_double(gridlock_sticky((unsigned long long)x))) {}
__host__ __device__ NUMBER(long long x) : bits(of_double(gridlock_sticky(x))) {}
__host__ __device__ NUMBER(unsigned long long x) : bits(of_double(gridlock_sticky(x))) {}
__host__ __device__ NUMBER(const NUMBER_raw &a) : bits(a.x) {}
__host__ __device__ operator NUMBER_raw() const { return NUMBER_raw{bits}; }
__host__ __device__ operator signed char() const { return GRIDLOCK_TO_CHAR(as_float()); }
__host__ __device__ operator unsigned char() const { return GRIDLOCK_TO_UCHAR(as_float()); }
__host__ __device__ operator char() const { return GRIDLOCK_TO_CHAR(as_float()); }
__host__ __device__ operator short() const { return GRIDLOCK_TO_SHORT(as_float()); }
__host__ __device__ operator unsigned short() const { return GRIDLOCK_TO_USHORT(as_float()); }
__host__ __device__ operator int() const { return GRIDLOCK_TO_INT(as_float()); }
__host__ __device__ operator unsigned int() const { return GRIDLOCK_TO_UINT(as_float()); }
__host__ __device__ operator long() const { return GRIDLOCK_TO_LL(as_float()); }
__host__ __device__ operator unsigned long() const { return GRIDLOCK_TO_ULL(as_float()); }
__host__ __device__ operator long long() const { return GRIDLOCK_TO_LL(as_float()); }
__host__ __device__ operator unsigned long long() const { return GRIDLOCK_TO_ULL(as_float()); }
__host__ __device__ operator bool() const { return (bits & 0x7fff) != 0; }
