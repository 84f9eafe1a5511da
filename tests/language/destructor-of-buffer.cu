// gridlock: verdict = passed
// gridlock: kernel = main
// gridlock: why = memory of the device is freed by the destructor of the object that holds it

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s\n", cudaGetErrorString(error));                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

template <typename T> class Buffer {
    T *data = nullptr;
    size_t n = 0;

public:
    explicit Buffer(size_t n) : n(n) { CHECK(cudaMalloc(&data, n * sizeof(T))); }
    ~Buffer() { cudaFree(data); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    T *get() const { return data; }
    void upload(const T *from) { CHECK(cudaMemcpy(data, from, n * sizeof(T), cudaMemcpyHostToDevice)); }
    void download(T *to) const { CHECK(cudaMemcpy(to, data, n * sizeof(T), cudaMemcpyDeviceToHost)); }
};

struct Stream {
    cudaStream_t stream;
    Stream() { cudaStreamCreate(&stream); }
    ~Stream()
    {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
};

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 100;
    float a[n], b[n], c[n];
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    Buffer<float> left(n), right(n), sum(n);
    float *to = sum.get();
    left.upload(a);
    right.upload(b);
    {
        Stream s;
        add<<<(n + 31) / 32, 32, 0, s.stream>>>(left.get(), right.get(), to, n);
    }
    sum.download(c);
    for (int i = 0; i < n; i++)
        if (c[i] != 3 * i) {
            printf("wrong at %d\n", i);
            return 1;
        }
    return 0;
}
