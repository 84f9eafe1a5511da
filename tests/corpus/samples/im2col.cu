// gridlock: verdict = passed
// gridlock: grid = 4
// gridlock: block = 8
// gridlock: arg = height=4
// gridlock: arg = width=5
// gridlock: arg = ksize=3
// gridlock: arg = pad=1
// gridlock: arg = n=20
// gridlock: extent = im=20
// gridlock: extent = col=180
// gridlock: few-grid = 1
// gridlock: few-block = 1
// gridlock: few-arg = n=1
// gridlock: few-arg = ksize=1
// gridlock: why = the padding on either side reads as zero

// Stride 1, one channel: column of the patch around each output pixel.

__global__ void im2col_gpu(const float *__restrict__ im, float *__restrict__ col, int n, int height, int width,
                           int ksize, int pad)
{
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += blockDim.x * gridDim.x) {
        int h_out = index / width;
        int w_out = index % width;
        int h_in = h_out - pad;
        int w_in = w_out - pad;
        float *out = col + index;

        for (int i = 0; i < ksize; ++i) {
            for (int j = 0; j < ksize; ++j) {
                int h = h_in + i;
                int w = w_in + j;
                bool inside = h >= 0 && w >= 0 && h < height && w < width;
                *out = inside ? im[h * width + w] : 0.0f;
                out += n;
            }
        }
    }
}
