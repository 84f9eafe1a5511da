// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: extent = keys=2
// gridlock: extent = values=2
// gridlock: why = the lock is chosen by the key, the bucket by its hash: two locks for one bucket

// Sums of values by key: a lock for each bucket.

#define BUCKETS 2
#define HASH(k) (((k) * 7 + 3) & 2 ? 1 : 0)

__device__ int lock[BUCKETS + 2];
__device__ int bucket_key[BUCKETS];
__device__ int bucket_sum[BUCKETS];

__global__ void insert(const unsigned int *keys, const int *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int key = keys[i] & 3u;
    int b = HASH(key);
    int l = key;

    while (atomicCAS(&lock[l], 0, 1) != 0) {
    }
    __threadfence();
    bucket_key[b] = key;
    bucket_sum[b] = bucket_sum[b] + values[i]; // <-- guilty
    __threadfence();
    atomicExch(&lock[l], 0);
}
