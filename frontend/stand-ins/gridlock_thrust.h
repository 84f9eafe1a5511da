// Thrust as far as host code around kernels names it: enough for declarations to compile. Its algorithms are
// refused by name where they are called.
#pragma once
#ifdef __CUDA__
#include <gridlock_std.h>
#include <cuda_runtime.h>
#pragma clang force_cuda_host_device begin
#define THRUST_VERSION 200001
#define THRUST_MAJOR_VERSION 2
namespace thrust {
// What an algorithm gives, whatever is made of it.
struct gridlock_given { template <class T> operator T() const; };
using std::get;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
template <class A, class B> pair<A, B> make_pair(A, B);
template <class T> T *gridlock_device_elements(size_t);
template <class T> void gridlock_device_release(T *);
// An element in the memory of the device: the host reads and writes it by copies.
template <class T> struct device_reference {
  T *gridlock_self;
  operator T() const {
    T value;
    cudaMemcpy(&value, gridlock_self, sizeof(T), cudaMemcpyDeviceToHost);
    return value;
  }
  device_reference &operator=(T value) {
    cudaMemcpy(gridlock_self, &value, sizeof(T), cudaMemcpyHostToDevice);
    return *this;
  }
};
template <class T> struct device_ptr {
  typedef T value_type;
  T *gridlock_self;
  device_ptr() : gridlock_self(nullptr) {}
  explicit device_ptr(T *p) : gridlock_self(p) {}
  T *get() const { return gridlock_self; }
  device_reference<T> operator*() const { return device_reference<T>{gridlock_self}; }
  device_reference<T> operator[](long i) const { return device_reference<T>{gridlock_self + i}; }
  device_ptr operator+(long n) const { return device_ptr(gridlock_self + n); }
  device_ptr operator-(long n) const { return device_ptr(gridlock_self - n); }
  long operator-(device_ptr p) const { return gridlock_self - p.gridlock_self; }
  device_ptr &operator++() {
    gridlock_self++;
    return *this;
  }
  device_ptr &operator+=(long n) {
    gridlock_self += n;
    return *this;
  }
  bool operator!=(device_ptr p) const { return gridlock_self != p.gridlock_self; }
  bool operator==(device_ptr p) const { return gridlock_self == p.gridlock_self; }
  bool operator<(device_ptr p) const { return gridlock_self < p.gridlock_self; }
};
template <class T> device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T> T *raw_pointer_cast(T *p) { return p; }
template <class T> T *raw_pointer_cast(device_ptr<T> p) { return p.gridlock_self; }
template <class T> T &raw_reference_cast(T &);
template <class T> device_ptr<T> device_malloc(size_t);
template <class T> void device_free(device_ptr<T>);
template <class T, class A = void> struct device_vector;
template <class T, class A = void> struct host_vector : std::vector<T> {
  host_vector() : std::vector<T>() {}
  explicit host_vector(size_t n) : std::vector<T>(n) {}
  host_vector(size_t n, T value) : std::vector<T>(n, value) {}
  host_vector(const T *first, const T *last) : std::vector<T>(first, last) {}
  template <class I, class = typename std::enable_if<__is_class(I)>::type> host_vector(I, I);
  host_vector(const std::vector<T> &v) : std::vector<T>(v.begin(), v.end()) {}
  host_vector(const host_vector &v) : std::vector<T>(v.begin(), v.end()) {}
  host_vector(const device_vector<T> &v) : std::vector<T>(v.used) {
    cudaMemcpy(this->gridlock_self, v.gridlock_self, v.used * sizeof(T), cudaMemcpyDeviceToHost);
  }
  host_vector &operator=(const host_vector &v) {
    this->resize(v.used);
    for (size_t i = 0; i < v.used; i++)
      this->gridlock_self[i] = v.gridlock_self[i];
    return *this;
  }
  host_vector &operator=(const device_vector<T> &v) {
    this->resize(v.used);
    cudaMemcpy(this->gridlock_self, v.gridlock_self, v.used * sizeof(T), cudaMemcpyDeviceToHost);
    return *this;
  }
};
template <class T, class A> struct device_vector {
  typedef T value_type;
  typedef device_ptr<T> iterator;
  typedef device_ptr<T> const_iterator;
  typedef size_t size_type;
  T *gridlock_self;
  size_t used, there;
  device_vector() : gridlock_self(gridlock_device_elements<T>(0)), used(0), there(0) {}
  explicit device_vector(size_t n) : gridlock_self(gridlock_device_elements<T>(n)), used(n), there(n) { gridlock_fill(0, T()); }
  device_vector(size_t n, T value) : gridlock_self(gridlock_device_elements<T>(n)), used(n), there(n) { gridlock_fill(0, value); }
  device_vector(const T *first, const T *last) : gridlock_self(gridlock_device_elements<T>(last - first)), used(last - first), there(last - first) {
    cudaMemcpy(gridlock_self, first, used * sizeof(T), cudaMemcpyHostToDevice);
  }
  device_vector(const std::vector<T> &v) : gridlock_self(gridlock_device_elements<T>(v.used)), used(v.used), there(v.used) {
    cudaMemcpy(gridlock_self, v.gridlock_self, used * sizeof(T), cudaMemcpyHostToDevice);
  }
  device_vector(const device_vector &v) : gridlock_self(gridlock_device_elements<T>(v.used)), used(v.used), there(v.used) {
    cudaMemcpy(gridlock_self, v.gridlock_self, used * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  device_vector(device_ptr<T> first, device_ptr<T> last)
      : gridlock_self(gridlock_device_elements<T>(last - first)), used(last - first), there(last - first) {
    cudaMemcpy(gridlock_self, first.gridlock_self, used * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  template <class I, class = typename std::enable_if<__is_class(I)>::type> device_vector(I, I);
  device_vector &operator=(const std::vector<T> &v) {
    gridlock_of_size(v.used);
    cudaMemcpy(gridlock_self, v.gridlock_self, used * sizeof(T), cudaMemcpyHostToDevice);
    return *this;
  }
  device_vector &operator=(const device_vector &v) {
    gridlock_of_size(v.used);
    cudaMemcpy(gridlock_self, v.gridlock_self, used * sizeof(T), cudaMemcpyDeviceToDevice);
    return *this;
  }
  void gridlock_fill(size_t from, T value) {
    T *values = std::gridlock_elements<T>(used - from);
    for (size_t i = 0; i < used - from; i++)
      values[i] = value;
    cudaMemcpy(gridlock_self + from, values, (used - from) * sizeof(T), cudaMemcpyHostToDevice);
    std::gridlock_release(values);
  }
  void gridlock_of_size(size_t n) {
    if (n > there) {
      gridlock_device_release(gridlock_self);
      gridlock_self = gridlock_device_elements<T>(n);
      there = n;
    }
    used = n;
  }
  void reserve(size_t n) {
    if (n > there) {
      T *elements = gridlock_device_elements<T>(n);
      cudaMemcpy(elements, gridlock_self, used * sizeof(T), cudaMemcpyDeviceToDevice);
      gridlock_device_release(gridlock_self);
      gridlock_self = elements;
      there = n;
    }
  }
  void resize(size_t n, T value = T()) {
    size_t before = used;
    reserve(n);
    used = n;
    if (n > before)
      gridlock_fill(before, value);
  }
  device_ptr<T> begin() const { return device_ptr<T>(gridlock_self); }
  device_ptr<T> end() const { return device_ptr<T>(gridlock_self + used); }
  device_ptr<T> cbegin() const { return device_ptr<T>(gridlock_self); }
  device_ptr<T> cend() const { return device_ptr<T>(gridlock_self + used); }
  device_ptr<T> data() const { return device_ptr<T>(gridlock_self); }
  device_reference<T> operator[](size_t i) const { return device_reference<T>{gridlock_self + i}; }
  device_reference<T> front() const { return device_reference<T>{gridlock_self}; }
  device_reference<T> back() const { return device_reference<T>{gridlock_self + used - 1}; }
  size_t size() const { return used; }
  bool empty() const { return used == 0; }
  size_t capacity() const { return there; }
  void clear() { used = 0; }
  void shrink_to_fit() {}
  void push_back(T value) { resize(used + 1, value); }
  template <class... B> void assign(B...);
  template <class... B> device_ptr<T> insert(B...);
  template <class... B> device_ptr<T> erase(B...);
  template <class V> void swap(V &);
};
template <class... A> gridlock_given sort(A &&...);
template <class... A> gridlock_given stable_sort(A &&...);
template <class... A> gridlock_given sort_by_key(A &&...);
template <class... A> gridlock_given stable_sort_by_key(A &&...);
template <class... A> gridlock_given reduce(A &&...);
template <class... A> gridlock_given reduce_by_key(A &&...);
template <class... A> gridlock_given transform(A &&...);
template <class... A> gridlock_given transform_if(A &&...);
template <class... A> gridlock_given transform_reduce(A &&...);
template <class... A> gridlock_given copy(A &&...);
template <class... A> gridlock_given copy_n(A &&...);
template <class... A> gridlock_given copy_if(A &&...);
template <class... A> gridlock_given fill(A &&...);
template <class... A> gridlock_given fill_n(A &&...);
template <class... A> gridlock_given sequence(A &&...);
template <class... A> gridlock_given tabulate(A &&...);
template <class... A> gridlock_given inclusive_scan(A &&...);
template <class... A> gridlock_given exclusive_scan(A &&...);
template <class... A> gridlock_given inclusive_scan_by_key(A &&...);
template <class... A> gridlock_given exclusive_scan_by_key(A &&...);
template <class... A> gridlock_given transform_inclusive_scan(A &&...);
template <class... A> gridlock_given transform_exclusive_scan(A &&...);
template <class... A> gridlock_given unique(A &&...);
template <class... A> gridlock_given unique_copy(A &&...);
template <class... A> gridlock_given unique_by_key(A &&...);
template <class... A> gridlock_given remove(A &&...);
template <class... A> gridlock_given remove_if(A &&...);
template <class... A> gridlock_given remove_copy_if(A &&...);
template <class... A> gridlock_given gather(A &&...);
template <class... A> gridlock_given gather_if(A &&...);
template <class... A> gridlock_given scatter(A &&...);
template <class... A> gridlock_given scatter_if(A &&...);
template <class... A> gridlock_given count(A &&...);
template <class... A> gridlock_given count_if(A &&...);
template <class... A> gridlock_given max_element(A &&...);
template <class... A> gridlock_given min_element(A &&...);
template <class... A> gridlock_given minmax_element(A &&...);
template <class... A> gridlock_given for_each(A &&...);
template <class... A> gridlock_given for_each_n(A &&...);
template <class... A> gridlock_given generate(A &&...);
template <class... A> gridlock_given generate_n(A &&...);
template <class... A> gridlock_given lower_bound(A &&...);
template <class... A> gridlock_given upper_bound(A &&...);
template <class... A> gridlock_given binary_search(A &&...);
template <class... A> gridlock_given adjacent_difference(A &&...);
template <class... A> gridlock_given find(A &&...);
template <class... A> gridlock_given find_if(A &&...);
template <class... A> gridlock_given partition(A &&...);
template <class... A> gridlock_given partition_copy(A &&...);
template <class... A> gridlock_given stable_partition(A &&...);
template <class... A> gridlock_given distance(A &&...);
template <class... A> gridlock_given advance(A &&...);
template <class... A> gridlock_given inner_product(A &&...);
template <class... A> gridlock_given merge(A &&...);
template <class... A> gridlock_given merge_by_key(A &&...);
template <class... A> gridlock_given set_union(A &&...);
template <class... A> gridlock_given set_difference(A &&...);
template <class... A> gridlock_given set_intersection(A &&...);
template <class... A> gridlock_given equal(A &&...);
template <class... A> gridlock_given reverse(A &&...);
template <class... A> gridlock_given replace(A &&...);
template <class... A> gridlock_given replace_if(A &&...);
template <class... A> gridlock_given swap_ranges(A &&...);
template <class... A> gridlock_given all_of(A &&...);
template <class... A> gridlock_given any_of(A &&...);
template <class... A> gridlock_given none_of(A &&...);
template <class... A> gridlock_given is_sorted(A &&...);
template <class... A> gridlock_given uninitialized_fill(A &&...);
template <class... A> gridlock_given uninitialized_copy(A &&...);
template <class... A> gridlock_given mismatch(A &&...);
template <class T = void> struct plus {
  T operator()(const T &a, const T &b) const { return a + b; }
};
template <class T = void> struct minus {
  T operator()(const T &a, const T &b) const { return a - b; }
};
template <class T = void> struct multiplies {
  T operator()(const T &a, const T &b) const { return a * b; }
};
template <class T = void> struct divides {
  T operator()(const T &a, const T &b) const { return a / b; }
};
template <class T = void> struct modulus {
  T operator()(const T &a, const T &b) const { return a % b; }
};
template <class T = void> struct maximum {
  T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
  T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <class T = void> struct bit_and {
  T operator()(const T &a, const T &b) const { return a & b; }
};
template <class T = void> struct bit_or {
  T operator()(const T &a, const T &b) const { return a | b; }
};
template <class T = void> struct bit_xor {
  T operator()(const T &a, const T &b) const { return a ^ b; }
};
template <class T = void> struct less {
  bool operator()(const T &a, const T &b) const { return a < b; }
};
template <class T = void> struct greater {
  bool operator()(const T &a, const T &b) const { return a > b; }
};
template <class T = void> struct less_equal {
  bool operator()(const T &a, const T &b) const { return a <= b; }
};
template <class T = void> struct greater_equal {
  bool operator()(const T &a, const T &b) const { return a >= b; }
};
template <class T = void> struct equal_to {
  bool operator()(const T &a, const T &b) const { return a == b; }
};
template <class T = void> struct not_equal_to {
  bool operator()(const T &a, const T &b) const { return a != b; }
};
template <class T = void> struct logical_and {
  bool operator()(const T &a, const T &b) const { return a && b; }
};
template <class T = void> struct logical_or {
  bool operator()(const T &a, const T &b) const { return a || b; }
};
template <class T = void> struct negate {
  T operator()(const T &a) const { return -a; }
};
template <class T = void> struct identity {
  T operator()(const T &a) const { return a; }
};
template <class T = void> struct square {
  T operator()(const T &a) const { return a * a; }
};
template <class A, class R> struct unary_function { typedef A argument_type; typedef R result_type; };
template <class A, class B, class R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};
template <class I> struct gridlock_iterator {
  gridlock_given operator*() const;
  gridlock_given operator[](long) const;
  I operator+(long) const;
  I operator-(long) const;
  long operator-(I) const;
  bool operator!=(I) const;
};
template <class T> struct counting_iterator : gridlock_iterator<counting_iterator<T>> { explicit counting_iterator(T); };
template <class T> struct constant_iterator : gridlock_iterator<constant_iterator<T>> { explicit constant_iterator(T); };
template <class T> struct zip_iterator : gridlock_iterator<zip_iterator<T>> { explicit zip_iterator(T); };
template <class F, class I> struct transform_iterator : gridlock_iterator<transform_iterator<F, I>> { transform_iterator(I, F); };
template <class I, class J> struct permutation_iterator : gridlock_iterator<permutation_iterator<I, J>> { permutation_iterator(I, J); };
template <class T = void> struct discard_iterator : gridlock_iterator<discard_iterator<T>> { discard_iterator(); };
template <class T> counting_iterator<T> make_counting_iterator(T);
template <class T> constant_iterator<T> make_constant_iterator(T);
template <class T> zip_iterator<T> make_zip_iterator(T);
template <class A, class B, class... C> zip_iterator<tuple<A, B, C...>> make_zip_iterator(A, B, C...);
template <class I, class F> transform_iterator<F, I> make_transform_iterator(I, F);
template <class I, class J> permutation_iterator<I, J> make_permutation_iterator(I, J);
inline discard_iterator<> make_discard_iterator() { return discard_iterator<>(); }
template <class I> struct iterator_traits { typedef typename I::value_type value_type; };
template <class T> struct iterator_traits<T *> { typedef T value_type; };
struct gridlock_policy { template <class S> gridlock_policy on(S) const; };
extern const gridlock_policy host, device, seq;
namespace cuda { extern const gridlock_policy par, par_nosync; }
namespace placeholders {}
struct default_random_engine {
  explicit default_random_engine(unsigned int = 1u);
  unsigned int operator()();
  void discard(unsigned long long);
};
typedef default_random_engine minstd_rand;
template <class T = double> struct uniform_real_distribution {
  uniform_real_distribution(T = 0, T = 1);
  template <class G> T operator()(G &);
};
template <class T = int> struct uniform_int_distribution {
  uniform_int_distribution(T = 0, T = 1);
  template <class G> T operator()(G &);
};
template <class T = double> struct normal_distribution {
  normal_distribution(T = 0, T = 1);
  template <class G> T operator()(G &);
};
namespace random {
using thrust::default_random_engine;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
}
template <class T> struct complex {
  complex(T = T(), T = T());
  T real() const;
  T imag() const;
};
template <class T> complex<T> operator+(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator-(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator*(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator/(const complex<T> &, const complex<T> &);
}
#pragma clang force_cuda_host_device end
#endif
