// gridlock: verdict = proved
// gridlock: grid = 1,1
// gridlock: block = 4,4
// gridlock: arg = h=5
// gridlock: arg = w=7
// gridlock: arg = window=2
// gridlock: extent = in=35
// gridlock: extent = out=12
// gridlock: few-block = 2,1
// gridlock: few-arg = h=1
// gridlock: few-arg = w=3
// gridlock: why = the windows at the edges end with the image

__global__ void max_pool(const float *__restrict__ in, float *__restrict__ out, int h, int w, int window)
{
    const int out_w = (w + window - 1) / window;
    const int out_h = (h + window - 1) / window;
    const int ox = blockIdx.x * blockDim.x + threadIdx.x;
    const int oy = blockIdx.y * blockDim.y + threadIdx.y;

    if (ox < out_w && oy < out_h) {
        int x_end = min(ox * window + window, w);
        int y_end = min(oy * window + window, h);
        float most = -1.0e38f;
        for (int y = oy * window; y < y_end; y++)
            for (int x = ox * window; x < x_end; x++)
                most = fmaxf(most, in[y * w + x]);
        out[oy * out_w + ox] = most;
    }
}
