// gridlock: verdict = proved
// gridlock: block = 64
// gridlock: grid = 2
// gridlock: why = each thread moves its own particle; members of several types lie apart, and no two threads share one

struct particle {
    float x, y;
    int hits;
};

__global__ void move(particle *all, float2 *speed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    particle p = all[i];
    p.x += speed[i].x;
    p.y += speed[i].y;
    p.hits++;
    all[i] = p;
}
