// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: grid = 2,2
// gridlock: block = 4,4
// gridlock: arg = in_h=3
// gridlock: arg = in_w=4
// gridlock: arg = scale=2
// gridlock: extent = src=12
// gridlock: extent = dst=48
// gridlock: few-grid = 1,1
// gridlock: few-block = 2,1
// gridlock: few-arg = in_h=1
// gridlock: few-arg = in_w=1
// gridlock: why = below the last row one more row is read

__global__ void upsample_bilinear(const float *__restrict__ src, float *__restrict__ dst, int in_h, int in_w,
                                  int scale)
{
    const int out_w = in_w * scale, out_h = in_h * scale;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out_w || y >= out_h)
        return;

    const float sx = (float)x / scale;
    const float sy = (float)y / scale;
    const int x0 = (int)floorf(sx), y0 = (int)floorf(sy);
    const int x1 = min(x0 + 1, in_w - 1);
    const int y1 = min(y0 + 1, in_h);
    const float fx = sx - x0, fy = sy - y0;

    const float top = src[y0 * in_w + x0] * (1.0f - fx) + src[y0 * in_w + x1] * fx;
    const float bottom = src[y1 * in_w + x0] * (1.0f - fx) + src[y1 * in_w + x1] * fx; // <-- guilty
    dst[y * out_w + x] = top * (1.0f - fy) + bottom * fy;
}
