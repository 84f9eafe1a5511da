// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 32
// gridlock: extent = out=32
// gridlock: why = a member that was never set is used by the function that the struct is passed to

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
    return rate.volatility * rate.volatility * rate.following;
}

__device__ float drift(Process process, int n)
{
    float sum = process.start;
    for (int i = 0; i < n; i++)
        sum += variance(process.rate); // <-- guilty
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
        out[i] = result;
    }
}
