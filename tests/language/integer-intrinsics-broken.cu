// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: why = a store around a cache is a store: all threads write one element

__global__ void intrinsics(unsigned int *a, int n)
{
    unsigned int x = 0x11223344u, y = 0x55667788u;
    assert(__byte_perm(x, y, 0x5410) == 0x77883344u);
    assert(__funnelshift_l(x, y, 8) == 0x66778811u && __funnelshift_r(x, y, 8) == 0x88112233u);
    assert(__funnelshift_lc(x, y, 40) == x && __funnelshift_rc(x, y, 40) == y);
    assert(__dp4a(0x01020304, 0x01010101, 5) == 15 && __dp4a(-1, 0x01010101, 0) == -4);
    assert(__umulhi(0x80000000u, 6u) == 3u && __mulhi(-2, 1) == -1);
    assert(__umul64hi(1ull << 63, 6ull) == 3ull && __mul64hi(-2ll, 1ll) == -1ll);
    assert(__usad(3u, 10u, 1u) == 8u && __hadd(-3, -4) == -4 && __rhadd(3, 4) == 4);
    assert(__popc(x) == 10 && __ffs(n & 0) == 0 && __builtin_ctz(8u) == 3);
    __nanosleep(100);
    __stcg(a, __ldg(a + threadIdx.x) + x); // <-- guilty
}
