// Complex numbers as CUDA has them in C: vectors of two. Quotients and moduli are scaled, as the toolkit documents,
// so that squares do not overflow.
#pragma once
#include <math.h>
#ifdef __CUDA__
#define HD __host__ __device__ static inline
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
HD cuFloatComplex make_cuFloatComplex(float r, float i) { return float2{r, i}; }
HD cuDoubleComplex make_cuDoubleComplex(double r, double i) { return double2{r, i}; }
HD cuComplex make_cuComplex(float r, float i) { return float2{r, i}; }
HD float cuCrealf(cuFloatComplex a) { return a.x; }
HD float cuCimagf(cuFloatComplex a) { return a.y; }
HD double cuCreal(cuDoubleComplex a) { return a.x; }
HD double cuCimag(cuDoubleComplex a) { return a.y; }
HD cuFloatComplex cuConjf(cuFloatComplex a) { return float2{a.x, -a.y}; }
HD cuDoubleComplex cuConj(cuDoubleComplex a) { return double2{a.x, -a.y}; }
HD cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) { return float2{a.x + b.x, a.y + b.y}; }
HD cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) { return double2{a.x + b.x, a.y + b.y}; }
HD cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) { return float2{a.x - b.x, a.y - b.y}; }
HD cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) { return double2{a.x - b.x, a.y - b.y}; }
HD cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return float2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
HD cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return double2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
HD cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  float scale = 1.0f / (fabsf(b.x) + fabsf(b.y));
  float2 p = float2{a.x * scale, a.y * scale}, q = float2{b.x * scale, b.y * scale};
  float over = 1.0f / (q.x * q.x + q.y * q.y);
  return float2{(p.x * q.x + p.y * q.y) * over, (p.y * q.x - p.x * q.y) * over};
}
HD cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  double scale = 1.0 / (fabs(b.x) + fabs(b.y));
  double2 p = double2{a.x * scale, a.y * scale}, q = double2{b.x * scale, b.y * scale};
  double over = 1.0 / (q.x * q.x + q.y * q.y);
  return double2{(p.x * q.x + p.y * q.y) * over, (p.y * q.x - p.x * q.y) * over};
}
HD float cuCabsf(cuFloatComplex a) { return hypotf(a.x, a.y); }
HD double cuCabs(cuDoubleComplex a) { return hypot(a.x, a.y); }
HD cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return float2{a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};
}
HD cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return double2{a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};
}
HD cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return double2{a.x, a.y}; }
HD cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return float2{(float)a.x, (float)a.y}; }
#undef HD
#endif
