// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 64
// gridlock: grid = 2
// gridlock: why = every block writes the particles of block 0, all three members of them

struct particle {
    float x, y;
    int hits;
};

__global__ void move(particle *all, float2 *speed)
{
    int i = threadIdx.x;
    all[i].x += speed[i].x;
    all[i].hits++; // <-- guilty
}
