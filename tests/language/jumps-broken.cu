// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 8
// gridlock: grid = 1
// gridlock: extent = a=8
// gridlock: contents = a=range:0:1
// gridlock: why = the jump out of both loops leaves the outer one too, so that the label is reached with 1

__global__ void jumps(int *a, int n)
{
    int t = threadIdx.x, rounds = 0, found = -1;
again:
    rounds++;
    if (rounds < 3)
        goto again;
    assert(rounds == 3);
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            if (i * j == 6) {
                found = i;
                goto out;
            }
        assert(i < 2);
    }
    found = 100;
out:
    assert(found == 100); // <-- guilty
    if (t == 0)
        goto done;
    {
        int next[3] = {1, 2, 3};
        int sum = 0;
        for (int x : next)
            sum += x;
        assert(sum == 6);
        a[t] = sum;
    }
done:
    if (n < 0)
        return;
    a[t] += 1;
}
