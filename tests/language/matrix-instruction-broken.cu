// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: extent = out=128
// gridlock: why = the right factor is not turned, as the instruction wants it

#include <cuda_fp16.h>

__global__ void product(float *out)
{
    __shared__ half a[16 * 16], b[16 * 8];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32)
        a[i] = __int2half_rn(i % 7 - 3);
    for (int i = lane; i < 128; i += 32)
        b[i] = __int2half_rn(i % 5 - 2);
    __syncthreads();
    unsigned x[4], y[2];
    float c[4] = {1, 1, 1, 1};
    unsigned from = __cvta_generic_to_shared(&a[lane % 16 * 16 + lane / 16 * 8]);
    unsigned by = __cvta_generic_to_shared(&b[lane % 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(from));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1]) : "r"(by));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
                 : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]),
                   "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    for (int i = 0; i < 4; i++) {
        int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2, sum = 1;
        for (int k = 0; k < 16; k++)
            sum += ((row * 16 + k) % 7 - 3) * ((k * 8 + column) % 5 - 2);
        assert(c[i] == (float)sum); // <-- guilty
        out[row * 8 + column] = c[i];
    }
}
