// gridlock: verdict = passed
// gridlock: why = what an event tells is done has happened

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
    if (cudaEventQuery(done) == cudaSuccess)
        sum += data[3];
    if (cudaStreamQuery(stream) != cudaErrorNotReady)
        sum += data[4];
    cudaStreamQuery(0);
    cudaStreamSynchronize(stream);
    cudaEventDestroy(done);
    cudaStreamDestroy(stream);
    cudaFree(data);
    return sum == 100;
}
