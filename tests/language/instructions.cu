// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: extent = out=32
// gridlock: why = what the instructions give is what their definitions say

__global__ void instructions(unsigned *out)
{
    unsigned lane, field, chosen, bytes, put, shifted, high, count, low, up;
    int negative;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    assert(lane == threadIdx.x);
    unsigned x = 0x12345678u + lane;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(x), "r"(4), "r"(8));
    assert(field == (x >> 4 & 0xff));
    asm("bfe.s32 %0, %1, 28, 4;" : "=r"(negative) : "r"(0xf0000000));
    assert(negative == -1);
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(put) : "r"(0xau), "r"(x));
    assert(put == (x & ~0xf00u | 0xa00u));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(chosen) : "r"(x), "r"(lane), "r"(7));
    assert(chosen == (x & lane | x & 7 | lane & 7));
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(x), "r"(lane), "r"(0x5410));
    assert(bytes == (x & 0xffff | lane << 16));
    asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(shifted) : "r"(x), "r"(lane));
    assert(shifted == (lane << 8 | x >> 24));
    asm("shl.b32 %0, %1, %2;" : "=r"(up) : "r"(x), "r"(40));
    assert(up == 0);
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(high) : "r"(x), "r"(0x80000000u));
    assert(high == x / 2);
    asm("{ .reg .pred p; setp.lt.u32 p, %1, 16; selp.u32 %0, 1, 2, p; }" : "=r"(count) : "r"(lane));
    assert(count == (lane < 16 ? 1 : 2));
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;" : "=r"(low), "=r"(high) : "r"(0xffffffffu), "r"(lane));
    assert(low == lane - 1 && high == (lane > 0));
    out[lane] = field;
}
