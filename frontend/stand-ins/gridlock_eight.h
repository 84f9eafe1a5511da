// The types of one of the formats of `cuda_fp8.h`: a number, two and four of them.
struct GRIDLOCK_ONE {
  __nv_fp8_storage_t __x;
  GRIDLOCK_ONE() = default;
  __host__ __device__ explicit GRIDLOCK_ONE(__half x) : __x(__nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, GRIDLOCK_KIND)) {}
  __host__ __device__ explicit GRIDLOCK_ONE(__nv_bfloat16 x) : __x(__nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, GRIDLOCK_KIND)) {}
  __host__ __device__ explicit GRIDLOCK_ONE(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, GRIDLOCK_KIND)) {}
  __host__ __device__ explicit GRIDLOCK_ONE(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, GRIDLOCK_KIND)) {}
  __host__ __device__ explicit GRIDLOCK_ONE(short x) : __x(GRIDLOCK_ONE((float)x).__x) {}
  __host__ __device__ explicit GRIDLOCK_ONE(unsigned short x) : __x(GRIDLOCK_ONE((float)x).__x) {}
  __host__ __device__ explicit GRIDLOCK_ONE(int x) : __x(GRIDLOCK_ONE((float)x).__x) {}
  __host__ __device__ explicit GRIDLOCK_ONE(unsigned int x) : __x(GRIDLOCK_ONE((float)x).__x) {}
  __host__ __device__ explicit GRIDLOCK_ONE(long x) : __x(GRIDLOCK_ONE((float)x).__x) {}
  __host__ __device__ explicit GRIDLOCK_ONE(unsigned long x) : __x(GRIDLOCK_ONE((float)x).__x) {}
  __host__ __device__ explicit GRIDLOCK_ONE(long long x) : __x(GRIDLOCK_ONE((float)x).__x) {}
  __host__ __device__ explicit GRIDLOCK_ONE(unsigned long long x) : __x(GRIDLOCK_ONE((float)x).__x) {}
  __host__ __device__ __half as_half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, GRIDLOCK_KIND)); }
  __host__ __device__ explicit operator __half() const { return as_half(); }
  __host__ __device__ explicit operator float() const { return as_half().as_float(); }
  __host__ __device__ explicit operator double() const { return (double)as_half().as_float(); }
  __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16(as_half().as_float()); }
  __host__ __device__ explicit operator signed char() const { return (signed char)as_half(); }
  __host__ __device__ explicit operator unsigned char() const { return (unsigned char)as_half(); }
  __host__ __device__ explicit operator char() const { return (char)as_half(); }
  __host__ __device__ explicit operator short() const { return (short)as_half(); }
  __host__ __device__ explicit operator unsigned short() const { return (unsigned short)as_half(); }
  __host__ __device__ explicit operator int() const { return (int)as_half(); }
  __host__ __device__ explicit operator unsigned int() const { return (unsigned int)as_half(); }
  __host__ __device__ explicit operator long() const { return (long)as_half(); }
  __host__ __device__ explicit operator unsigned long() const { return (unsigned long)as_half(); }
  __host__ __device__ explicit operator long long() const { return (long long)as_half(); }
  __host__ __device__ explicit operator unsigned long long() const { return (unsigned long long)as_half(); }
  __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }
};
struct __align__(2) GRIDLOCK_TWO {
  __nv_fp8x2_storage_t __x;
  GRIDLOCK_TWO() = default;
  __host__ __device__ explicit GRIDLOCK_TWO(__half2 x) : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, GRIDLOCK_KIND)) {}
  __host__ __device__ explicit GRIDLOCK_TWO(__nv_bfloat162 x) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, GRIDLOCK_KIND)) {}
  __host__ __device__ explicit GRIDLOCK_TWO(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, GRIDLOCK_KIND)) {}
  __host__ __device__ explicit GRIDLOCK_TWO(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, GRIDLOCK_KIND)) {}
  __host__ __device__ explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, GRIDLOCK_KIND)); }
  __host__ __device__ explicit operator float2() const { return gridlock_floats(__nv_cvt_fp8x2_to_halfraw2(__x, GRIDLOCK_KIND)); }
};
struct __align__(4) GRIDLOCK_FOUR {
  __nv_fp8x4_storage_t __x;
  GRIDLOCK_FOUR() = default;
  __host__ __device__ explicit GRIDLOCK_FOUR(__half2 low, __half2 high) : __x(gridlock_packed(GRIDLOCK_TWO(low).__x, GRIDLOCK_TWO(high).__x)) {}
  __host__ __device__ explicit GRIDLOCK_FOUR(__nv_bfloat162 low, __nv_bfloat162 high) : __x(gridlock_packed(GRIDLOCK_TWO(low).__x, GRIDLOCK_TWO(high).__x)) {}
  __host__ __device__ explicit GRIDLOCK_FOUR(float4 x)
      : __x(gridlock_packed(GRIDLOCK_TWO(float2{x.x, x.y}).__x, GRIDLOCK_TWO(float2{x.z, x.w}).__x)) {}
  __host__ __device__ explicit GRIDLOCK_FOUR(double4 x)
      : __x(gridlock_packed(GRIDLOCK_TWO(double2{x.x, x.y}).__x, GRIDLOCK_TWO(double2{x.z, x.w}).__x)) {}
  __host__ __device__ explicit operator float4() const {
    float2 low = gridlock_floats(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)__x, GRIDLOCK_KIND));
    float2 high = gridlock_floats(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(__x >> 16), GRIDLOCK_KIND));
    return float4{low.x, low.y, high.x, high.y};
  }
};
