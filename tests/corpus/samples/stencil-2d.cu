// gridlock: verdict = proved
// gridlock: grid = 2,2
// gridlock: block = 4,4
// gridlock: arg = nx=7
// gridlock: arg = ny=6
// gridlock: arg = alpha=0.125
// gridlock: extent = u=42
// gridlock: extent = u_new=42
// gridlock: few-grid = 1,1
// gridlock: few-block = 2,2
// gridlock: few-arg = nx=4
// gridlock: few-arg = ny=4
// gridlock: why = a step reads one field and writes the other

// One explicit step of the heat equation, five points, fixed border.

#define IDX(x, y) ((y) * nx + (x))

__global__ void heat_step(const float *__restrict__ u, float *__restrict__ u_new, int nx, int ny, float alpha)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= nx || y >= ny)
        return;
    if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
        u_new[IDX(x, y)] = u[IDX(x, y)];
        return;
    }
    float lap = u[IDX(x - 1, y)] + u[IDX(x + 1, y)] + u[IDX(x, y - 1)] + u[IDX(x, y + 1)]
        - 4.0f * u[IDX(x, y)];
    u_new[IDX(x, y)] = u[IDX(x, y)] + alpha * lap;
}
