// gridlock: verdict = proved
// gridlock: grid = 3,2
// gridlock: block = 4,4
// gridlock: arg = width=10
// gridlock: arg = height=6
// gridlock: arg = max_iter=12
// gridlock: extent = image=60
// gridlock: few-grid = 1,1
// gridlock: few-block = 2,1
// gridlock: few-arg = width=1
// gridlock: few-arg = height=1
// gridlock: few-arg = max_iter=2
// gridlock: why = a thread beyond either edge has no pixel

__device__ int escape_time(float cx, float cy, int max_iter)
{
    float x = 0.0f, y = 0.0f;
    int iter = 0;
    while (x * x + y * y <= 4.0f && iter < max_iter) {
        float xt = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = xt;
        ++iter;
    }
    return iter;
}

__global__ void mandelbrot(unsigned char *image, int width, int height, int max_iter)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x;
    int iy = blockIdx.y * blockDim.y + threadIdx.y;

    if (ix >= width || iy >= height)
        return;
    float cx = -2.0f + 3.0f * ix / width;
    float cy = -1.0f + 2.0f * iy / height;
    int iter = escape_time(cx, cy, max_iter);
    image[iy * width + ix] = iter == max_iter ? 0 : (unsigned char)(255 - 8 * iter);
}
