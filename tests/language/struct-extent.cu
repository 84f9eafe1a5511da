// gridlock: verdict = proved
// gridlock: block = 64
// gridlock: extent = bodies=64
// gridlock: extent = places=64
// gridlock: extent = words=32
// gridlock: why = extents count elements as they are declared: structs, vectors, and words that are seen as halves

struct body {
    int id;
    float x, y;
};

__global__ void place(body *bodies, float4 *places, int *words)
{
    int i = threadIdx.x;
    bodies[i].id = i;
    bodies[i].y = 1.0f;
    places[i].w = bodies[i].y;
    reinterpret_cast<short *>(words)[i] = 1;
}
