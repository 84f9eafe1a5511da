// Variables of one cell, in shared and in global memory, and an array of one.
__device__ int count;

__global__ void shared_cell(int *out) {
  __shared__ float sum;
  sum = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = sum;
}

__global__ void global_cell(int *out) {
  count += threadIdx.x;
}

__global__ void never_written(int *out) {
  __shared__ int first;
  out[threadIdx.x] = first;
}

__global__ void read_as_index(int *out) {
  out[count] = threadIdx.x;
}

__global__ void array_of_one(int *out) {
  __shared__ int one[1];
  *one = threadIdx.x;
}
