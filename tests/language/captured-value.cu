// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = out=8
// gridlock: why = a lambda keeps what it computed when it was made

__global__ void k(int *out, int n)
{
    int x = 1;
    auto store = [x = n * 2, out, y = x + 1](int i) { out[i] = x + y; };
    store(threadIdx.x);
    assert(out[threadIdx.x] == 2 * n + 2);
    auto plain = [x] { return x; };
    assert(plain() == 1);
    auto count = [v = 5]() mutable { return ++v; };
    assert(count() == 6);
    assert(count() == 7);
    auto early = [x = x] { return x; };
    x = 4;
    assert(early() == 1);
}
