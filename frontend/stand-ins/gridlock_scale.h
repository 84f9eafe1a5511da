// Powers of two in 8 bits, as factors of blocks of numbers: 2^(bits - 127), and 0xff for what is no number.
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
// Of the size of a `float`, in its bits, whose last one stands for all that is below it, too.
__host__ __device__ inline __nv_fp8_storage_t gridlock_scale(unsigned int size, __nv_saturation_t saturate, cudaRoundMode rounding) {
  if (size > 0x7f800000u) return 0xff;
  // Below 2^-126 the exponent is that of 2^-127, the least.
  unsigned int exact = size < 0x800000u ? 0x400000u : size & 0x7f800000u;
  unsigned int power = (size >> 23) + (rounding == cudaRoundPosInf && size > exact && size < 0x7f800000u);
  return (__nv_fp8_storage_t)(power == 0xff && saturate == __NV_SATFINITE ? 0xfe : power);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return gridlock_scale(__float_as_uint(x) & 0x7fffffffu, saturate, rounding);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  double size = fabs(x);
  float near = (float)size;
  unsigned int bits = __float_as_uint(near) & 0x7fffffffu;
  if ((double)near > size) bits--;
  return gridlock_scale((double)near != size && x == x ? bits | 1 : bits, saturate, rounding);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return gridlock_scale((unsigned int)(x.x & 0x7fff) << 16, saturate, rounding);
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return gridlock_packed(__nv_cvt_float_to_e8m0(x.x, saturate, rounding), __nv_cvt_float_to_e8m0(x.y, saturate, rounding));
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return gridlock_packed(__nv_cvt_double_to_e8m0(x.x, saturate, rounding), __nv_cvt_double_to_e8m0(x.y, saturate, rounding));
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return gridlock_packed(__nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.x}, saturate, rounding),
                         __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.y}, saturate, rounding));
}
__host__ __device__ inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  return __nv_bfloat16_raw{(unsigned short)(x == 0xff ? 0x7fff : x == 0 ? 0x40 : x << 7)};
}
__host__ __device__ inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x, __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}
// What is more than 53 bits long, with all that is lost in its last bit.
__host__ __device__ inline double gridlock_size(unsigned long long n) {
  return n < 1ull << 53 ? (double)n : 2048.0 * (double)(n >> 11 | ((n & 2047) != 0));
}
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  __host__ __device__ explicit __nv_fp8_e8m0(float x) : __x(__nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(double x) : __x(__nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(__half x) : __nv_fp8_e8m0(x.as_float()) {}
  __host__ __device__ explicit __nv_fp8_e8m0(__nv_bfloat16 x) : __nv_fp8_e8m0(x.as_float()) {}
  __host__ __device__ explicit __nv_fp8_e8m0(short x) : __nv_fp8_e8m0((float)x) {}
  __host__ __device__ explicit __nv_fp8_e8m0(unsigned short x) : __nv_fp8_e8m0((float)x) {}
  __host__ __device__ explicit __nv_fp8_e8m0(int x) : __nv_fp8_e8m0((double)x) {}
  __host__ __device__ explicit __nv_fp8_e8m0(unsigned int x) : __nv_fp8_e8m0((double)x) {}
  __host__ __device__ explicit __nv_fp8_e8m0(unsigned long long x) : __nv_fp8_e8m0(gridlock_size(x)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(long long x) : __nv_fp8_e8m0(gridlock_size(x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x)) {}
  __host__ __device__ explicit __nv_fp8_e8m0(unsigned long x) : __nv_fp8_e8m0((unsigned long long)x) {}
  __host__ __device__ explicit __nv_fp8_e8m0(long x) : __nv_fp8_e8m0((long long)x) {}
  __host__ __device__ __nv_bfloat16 as_bfloat() const { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
  __host__ __device__ explicit operator __nv_bfloat16() const { return as_bfloat(); }
  __host__ __device__ explicit operator float() const { return as_bfloat().as_float(); }
  __host__ __device__ explicit operator double() const { return (double)as_bfloat().as_float(); }
  __host__ __device__ explicit operator __half() const { return __half(as_bfloat().as_float()); }
  __host__ __device__ explicit operator signed char() const { return (signed char)as_bfloat(); }
  __host__ __device__ explicit operator unsigned char() const { return (unsigned char)as_bfloat(); }
  __host__ __device__ explicit operator char() const { return (char)as_bfloat(); }
  __host__ __device__ explicit operator short() const { return (short)as_bfloat(); }
  __host__ __device__ explicit operator unsigned short() const { return (unsigned short)as_bfloat(); }
  __host__ __device__ explicit operator int() const { return (int)as_bfloat(); }
  __host__ __device__ explicit operator unsigned int() const { return (unsigned int)as_bfloat(); }
  __host__ __device__ explicit operator long() const { return (long)as_bfloat(); }
  __host__ __device__ explicit operator unsigned long() const { return (unsigned long)as_bfloat(); }
  __host__ __device__ explicit operator long long() const { return (long long)as_bfloat(); }
  __host__ __device__ explicit operator unsigned long long() const { return (unsigned long long)as_bfloat(); }
  __host__ __device__ explicit operator bool() const { return true; }
};
struct __align__(2) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e8m0() = default;
  __host__ __device__ explicit __nv_fp8x2_e8m0(float2 x) : __x(__nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit __nv_fp8x2_e8m0(double2 x) : __x(__nv_cvt_double2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)) {}
  __host__ __device__ explicit __nv_fp8x2_e8m0(__half2 x) : __x(gridlock_packed(__nv_fp8_e8m0(x.x).__x, __nv_fp8_e8m0(x.y).__x)) {}
  __host__ __device__ explicit __nv_fp8x2_e8m0(__nv_bfloat162 x) : __x(gridlock_packed(__nv_fp8_e8m0(x.x).__x, __nv_fp8_e8m0(x.y).__x)) {}
  __host__ __device__ explicit operator __nv_bfloat162() const { return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x)); }
  __host__ __device__ explicit operator float2() const {
    __nv_bfloat162_raw both = __nv_cvt_e8m0x2_to_bf162raw(__x);
    return float2{__nv_bfloat16(__nv_bfloat16_raw{both.x}).as_float(), __nv_bfloat16(__nv_bfloat16_raw{both.y}).as_float()};
  }
  __host__ __device__ explicit operator __half2() const { return __float22half2_rn((float2) * this); }
};
struct __align__(4) __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e8m0() = default;
  __host__ __device__ explicit __nv_fp8x4_e8m0(__half2 low, __half2 high) : __x(gridlock_packed(__nv_fp8x2_e8m0(low).__x, __nv_fp8x2_e8m0(high).__x)) {}
  __host__ __device__ explicit __nv_fp8x4_e8m0(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(gridlock_packed(__nv_fp8x2_e8m0(low).__x, __nv_fp8x2_e8m0(high).__x)) {}
  __host__ __device__ explicit __nv_fp8x4_e8m0(float4 x)
      : __x(gridlock_packed(__nv_fp8x2_e8m0(float2{x.x, x.y}).__x, __nv_fp8x2_e8m0(float2{x.z, x.w}).__x)) {}
  __host__ __device__ explicit __nv_fp8x4_e8m0(double4 x)
      : __x(gridlock_packed(__nv_fp8x2_e8m0(double2{x.x, x.y}).__x, __nv_fp8x2_e8m0(double2{x.z, x.w}).__x)) {}
  __host__ __device__ explicit operator float4() const {
    __nv_fp8x2_e8m0 low, high;
    low.__x = (__nv_fp8x2_storage_t)__x;
    high.__x = (__nv_fp8x2_storage_t)(__x >> 16);
    float2 first = (float2)low, last = (float2)high;
    return float4{first.x, first.y, last.x, last.y};
  }
};
