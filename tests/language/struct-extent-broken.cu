// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 64
// gridlock: extent = bodies=64
// gridlock: extent = places=63
// gridlock: extent = words=32
// gridlock: why = 63 vectors are not enough for 64 threads

struct body {
    int id;
    float x, y;
};

__global__ void place(body *bodies, float4 *places, int *words)
{
    int i = threadIdx.x;
    bodies[i].id = i;
    bodies[i].y = 1.0f;
    places[i].w = bodies[i].y; // <-- guilty
    reinterpret_cast<short *>(words)[i] = 1;
}
