// gridlock: verdict = refuted
// gridlock: kind = stale-data
// gridlock: why = an event that is not done orders nothing

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x; }

int main()
{
    int *data;
    cudaMallocManaged(&data, 8 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaEvent_t done;
    cudaEventCreate(&done);
    fill<<<1, 8, 0, stream>>>(data);
    cudaEventRecord(done, stream);
    int sum = 0;
    if (cudaEventQuery(done) == cudaErrorNotReady)
        sum += data[3]; // <-- guilty
    if (cudaStreamQuery(stream) != cudaErrorNotReady)
        sum += data[4];
    cudaStreamQuery(0);
    cudaStreamSynchronize(stream);
    cudaEventDestroy(done);
    cudaStreamDestroy(stream);
    cudaFree(data);
    return sum == 100;
}
