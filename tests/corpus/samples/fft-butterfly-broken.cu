// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 4
// gridlock: few-block = 2
// gridlock: why = a stage begins while others are at the one before

// Radix-2 transform of 2 * blockDim.x <= 8 points in shared memory, decimation in time.

#define MAX_N 8

__constant__ float tw_re[MAX_N / 2] = {1.0f, 0.70710678f, 0.0f, -0.70710678f};
__constant__ float tw_im[MAX_N / 2] = {0.0f, -0.70710678f, -1.0f, -0.70710678f};

__global__ void fft_block(float *re, float *im)
{
    __shared__ float s_re[MAX_N];
    __shared__ float s_im[MAX_N];
    const int t = threadIdx.x;
    const int n = 2 * blockDim.x;
    const int log_n = 31 - __clz(n);

    for (int i = t; i < n; i += blockDim.x) {
        int rev = __brev(i) >> (32 - log_n);
        s_re[rev] = re[i];
        s_im[rev] = im[i];
    }
    __syncthreads();
    for (int half = 1; half < n; half <<= 1) {
        int k = t & (half - 1);
        int top = ((t - k) << 1) + k;
        int bot = top + half;
        float wr = tw_re[k * (MAX_N / 2 / half)];
        float wi = tw_im[k * (MAX_N / 2 / half)];
        float br = s_re[bot] * wr - s_im[bot] * wi; // <-- guilty
        float bi = s_re[bot] * wi + s_im[bot] * wr;
        float ar = s_re[top], ai = s_im[top];
        s_re[top] = ar + br;
        s_im[top] = ai + bi;
        s_re[bot] = ar - br;
        s_im[bot] = ai - bi;
    }
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) {
        re[i] = s_re[i];
        im[i] = s_im[i];
    }
}
