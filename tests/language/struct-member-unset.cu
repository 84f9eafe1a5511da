// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = out=32
// gridlock: why = a struct is passed as a whole: a member that was never set, and is never used, goes with it

struct Rate
{
    float years;
    float following;
    float volatility;
};

struct Process
{
    float start;
    Rate rate;
};

__device__ float variance(Rate rate)
{
    return rate.volatility * rate.volatility * rate.years;
}

__device__ float drift(Process process, int n)
{
    float sum = process.start;
    for (int i = 0; i < n; i++)
        sum += variance(process.rate);
    return sum;
}

__global__ void price(float *out)
{
    for (int i = threadIdx.x; i < 32; i += blockDim.x) {
        Rate rate;
        rate.years = 2.0f;
        rate.volatility = i;
        Process process;
        process.start = 1.0f;
        process.rate = rate;
        float result = drift(process, 2);
        assert(result == 1.0f + 4.0f * i * i);
        out[i] = result;
    }
}
