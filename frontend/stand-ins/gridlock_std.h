// The C++ library as far as host code around kernels names it: enough for declarations and signatures to
// compile. What has no body here is refused by name where it is called, and so is every class without members.
#pragma once
#ifdef __cplusplus
#include <stddef.h>
#include <stdint.h>
#include <gridlock_libc.h>
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
// Types by what they are: a file may have its own of these names.
namespace std {
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef decltype(nullptr) nullptr_t;

// What device code uses too.
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_cv { typedef T type; };
template <class T> struct remove_cv<const T> { typedef T type; };
template <class T> struct remove_cv<volatile T> { typedef T type; };
template <class T> struct remove_cv<const volatile T> { typedef T type; };
template <class T> struct decay { typedef typename remove_cv<typename remove_reference<T>::type>::type type; };
template <class T> struct make_unsigned { typedef __make_unsigned(T) type; };
template <class T> struct make_signed { typedef __make_signed(T) type; };
template <bool C, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool C, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <class T, T v> struct integral_constant {
  static constexpr T value = v;
  typedef T value_type;
  constexpr operator T() const { return v; }
};
template <bool v> using bool_constant = integral_constant<bool, v>;
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class T> struct is_integral : integral_constant<bool, __is_integral(T)> {};
template <class T> struct is_floating_point : integral_constant<bool, __is_floating_point(T)> {};
template <class T> struct is_arithmetic : integral_constant<bool, __is_arithmetic(T)> {};
template <class T> struct is_signed : integral_constant<bool, __is_signed(T)> {};
template <class T> struct is_unsigned : integral_constant<bool, __is_unsigned(T)> {};
template <class T> struct is_pointer : integral_constant<bool, __is_pointer(T)> {};
template <class T> struct is_trivially_copyable : integral_constant<bool, __is_trivially_copyable(T)> {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_void : false_type {};
template <> struct is_void<void> : true_type {};
template <class T> struct is_reference : integral_constant<bool, __is_reference(T)> {};
template <class T> struct is_array : integral_constant<bool, __is_array(T)> {};
template <class T> struct is_enum : integral_constant<bool, __is_enum(T)> {};
template <class T> struct is_class : integral_constant<bool, __is_class(T)> {};
template <class A, class B> struct is_base_of : integral_constant<bool, __is_base_of(A, B)> {};
template <class A, class B> struct is_convertible : integral_constant<bool, __is_convertible_to(A, B)> {};
template <class T> struct is_trivial : integral_constant<bool, __is_trivial(T)> {};
template <class T> struct is_union : integral_constant<bool, __is_union(T)> {};
template <class T> struct is_empty : integral_constant<bool, __is_empty(T)> {};
template <class T> struct is_final : integral_constant<bool, __is_final(T)> {};
template <class T> struct is_pod : integral_constant<bool, __is_pod(T)> {};
template <class T> struct is_standard_layout : integral_constant<bool, __is_standard_layout(T)> {};
template <class T> struct is_function : integral_constant<bool, __is_function(T)> {};
template <class T> struct is_lvalue_reference : integral_constant<bool, __is_lvalue_reference(T)> {};
template <class T> struct is_rvalue_reference : integral_constant<bool, __is_rvalue_reference(T)> {};
template <class T> struct is_volatile : integral_constant<bool, __is_volatile(T)> {};
template <class T> struct is_null_pointer : is_same<typename remove_cv<T>::type, decltype(nullptr)> {};
template <class T> struct is_scalar : integral_constant<bool, __is_scalar(T)> {};
template <class T> struct is_fundamental : integral_constant<bool, __is_fundamental(T)> {};
template <class T> struct is_object : integral_constant<bool, __is_object(T)> {};
template <class T, class... A> struct is_constructible : integral_constant<bool, __is_constructible(T, A...)> {};
template <class T> struct is_default_constructible : integral_constant<bool, __is_constructible(T)> {};
template <class T> struct is_copy_constructible : integral_constant<bool, __is_constructible(T, const T &)> {};
template <class A, class B> struct is_assignable : integral_constant<bool, __is_assignable(A, B)> {};
template <class T> struct is_trivially_destructible : integral_constant<bool, __is_trivially_destructible(T)> {};
template <class T> struct is_trivially_default_constructible
    : integral_constant<bool, __is_trivially_constructible(T)> {};
template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <class T> struct type_identity { typedef T type; };
template <class T> using type_identity_t = T;
template <class T> struct underlying_type { typedef __underlying_type(T) type; };
template <class T> using underlying_type_t = typename underlying_type<T>::type;
template <class T> struct add_volatile { typedef volatile T type; };
template <class T> struct add_cv { typedef const volatile T type; };
template <class T> struct add_lvalue_reference { typedef __add_lvalue_reference(T) type; };
template <class T> struct add_rvalue_reference { typedef __add_rvalue_reference(T) type; };
template <class T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <class T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <class T> struct remove_all_extents { typedef __remove_all_extents(T) type; };
template <class T> using remove_all_extents_t = typename remove_all_extents<T>::type;
template <class T> struct remove_cvref { typedef typename remove_cv<typename remove_reference<T>::type>::type type; };
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
template <class T, unsigned n = 0> struct extent : integral_constant<size_t, __array_extent(T, n)> {};
template <class T> struct rank : integral_constant<size_t, __array_rank(T)> {};
template <class...> struct conjunction : true_type {};
template <class A> struct conjunction<A> : A {};
template <class A, class... B> struct conjunction<A, B...> : conditional<bool(A::value), conjunction<B...>, A>::type {};
template <class...> struct disjunction : false_type {};
template <class A> struct disjunction<A> : A {};
template <class A, class... B> struct disjunction<A, B...> : conditional<bool(A::value), A, disjunction<B...>>::type {};
template <class A> struct negation : integral_constant<bool, !bool(A::value)> {};
template <class... A> inline constexpr bool conjunction_v = conjunction<A...>::value;
template <class... A> inline constexpr bool disjunction_v = disjunction<A...>::value;
template <class A> inline constexpr bool negation_v = negation<A>::value;
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> struct remove_pointer<T *const> { typedef T type; };
template <class T> struct remove_volatile { typedef T type; };
template <class T> struct remove_volatile<volatile T> { typedef T type; };
template <class T> struct remove_extent { typedef T type; };
template <class T> struct remove_extent<T[]> { typedef T type; };
template <class T, size_t n> struct remove_extent<T[n]> { typedef T type; };
template <class T> struct add_const { typedef const T type; };
template <class T> struct add_pointer { typedef typename remove_reference<T>::type *type; };
template <class...> using void_t = void;
template <class T> T &&declval() noexcept;
template <class... T> struct common_type;
template <class T> struct common_type<T> { typedef typename decay<T>::type type; };
template <class A, class B> struct common_type<A, B> {
  typedef typename decay<decltype(false ? declval<A>() : declval<B>())>::type type;
};
template <class A, class B, class... C> struct common_type<A, B, C...> : common_type<typename common_type<A, B>::type, C...> {};
template <class... T> using common_type_t = typename common_type<T...>::type;
template <class F, class... A> struct invoke_result { typedef decltype(declval<F>()(declval<A>()...)) type; };
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template <class T, T... v> struct integer_sequence {
  typedef T value_type;
};
template <class T, T n> using make_integer_sequence = __make_integer_seq<integer_sequence, T, n>;
template <size_t... v> using index_sequence = integer_sequence<size_t, v...>;
template <size_t n> using make_index_sequence = make_integer_sequence<size_t, n>;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;
template <class T> constexpr const T &as_const(T &t) { return t; }
template <class T, class U = T> constexpr T exchange(T &t, U &&u) { T old = t; t = static_cast<U &&>(u); return old; }
template <class T> constexpr T *addressof(T &t) { return __builtin_addressof(t); }
enum class byte : unsigned char {};
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> inline constexpr bool is_enum_v = is_enum<T>::value;
template <class T> inline constexpr bool is_class_v = is_class<T>::value;
template <class T> inline constexpr bool is_union_v = is_union<T>::value;
template <class T> inline constexpr bool is_empty_v = is_empty<T>::value;
template <class T> inline constexpr bool is_final_v = is_final<T>::value;
template <class T> inline constexpr bool is_pod_v = is_pod<T>::value;
template <class T> inline constexpr bool is_standard_layout_v = is_standard_layout<T>::value;
template <class T> inline constexpr bool is_function_v = is_function<T>::value;
template <class T> inline constexpr bool is_lvalue_reference_v = is_lvalue_reference<T>::value;
template <class T> inline constexpr bool is_rvalue_reference_v = is_rvalue_reference<T>::value;
template <class T> inline constexpr bool is_reference_v = is_reference<T>::value;
template <class T> inline constexpr bool is_array_v = is_array<T>::value;
template <class T> inline constexpr bool is_volatile_v = is_volatile<T>::value;
template <class T> inline constexpr bool is_null_pointer_v = is_null_pointer<T>::value;
template <class T> inline constexpr bool is_scalar_v = is_scalar<T>::value;
template <class T> inline constexpr bool is_fundamental_v = is_fundamental<T>::value;
template <class T> inline constexpr bool is_object_v = is_object<T>::value;
template <class T> inline constexpr bool is_default_constructible_v = is_default_constructible<T>::value;
template <class T> inline constexpr bool is_copy_constructible_v = is_copy_constructible<T>::value;
template <class T> inline constexpr bool is_trivially_destructible_v = is_trivially_destructible<T>::value;
template <class T> inline constexpr bool is_trivial_v = is_trivial<T>::value;
template <class T, class... A> inline constexpr bool is_constructible_v = is_constructible<T, A...>::value;
template <class T, unsigned n = 0> inline constexpr size_t extent_v = extent<T, n>::value;
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> inline constexpr bool is_void_v = is_void<T>::value;
template <class T> inline constexpr bool is_const_v = is_const<T>::value;
template <class T> inline constexpr bool is_trivially_copyable_v = is_trivially_copyable<T>::value;
template <class A, class B> inline constexpr bool is_base_of_v = is_base_of<A, B>::value;
template <class A, class B> inline constexpr bool is_convertible_v = is_convertible<A, B>::value;
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <bool C, class T = void> using enable_if_t = typename enable_if<C, T>::type;
template <bool C, class A, class B> using conditional_t = typename conditional<C, A, B>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using decay_t = typename decay<T>::type;
template <class T> constexpr T &&forward(typename remove_reference<T>::type &t) { return static_cast<T &&>(t); }
template <class T> constexpr typename remove_reference<T>::type &&move(T &&t) {
  return static_cast<typename remove_reference<T>::type &&>(t);
}
template <class T> inline void swap(T &a, T &b) { T c = a; a = b; b = c; }
template <class A, class B> struct pair {
  A first;
  B second;
};
template <class A, class B> constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>{a, b}; }

template <class T> struct numeric_limits;
#define GRIDLOCK_LIMITS(T, least, most, eps, n)                                                                   \
  template <> struct numeric_limits<T> {                                                                          \
    static constexpr bool is_integer = (T)0.5 == (T)0;                                                            \
    static constexpr bool is_signed = (T)-1 < (T)0;                                                               \
    static constexpr int digits = n;                                                                              \
    static constexpr T lowest() { return is_integer ? (T)(least) : (T)-(most); }                                  \
    static constexpr T min() { return (T)(least); }                                                               \
    static constexpr T max() { return (T)(most); }                                                                \
    static constexpr T epsilon() { return (T)(eps); }                                                             \
    static constexpr T infinity() { return is_integer ? (T)0 : (T)__builtin_inff(); }                             \
    static constexpr T quiet_NaN() { return is_integer ? (T)0 : (T)__builtin_nanf(""); }                          \
  };
GRIDLOCK_LIMITS(bool, 0, 1, 0, 1)
GRIDLOCK_LIMITS(char, -128, 127, 0, 7)
GRIDLOCK_LIMITS(signed char, -128, 127, 0, 7)
GRIDLOCK_LIMITS(unsigned char, 0, 255, 0, 8)
GRIDLOCK_LIMITS(short, -32768, 32767, 0, 15)
GRIDLOCK_LIMITS(unsigned short, 0, 65535, 0, 16)
GRIDLOCK_LIMITS(int, -2147483647 - 1, 2147483647, 0, 31)
GRIDLOCK_LIMITS(unsigned int, 0, 4294967295u, 0, 32)
GRIDLOCK_LIMITS(long, -9223372036854775807L - 1, 9223372036854775807L, 0, 63)
GRIDLOCK_LIMITS(unsigned long, 0, 18446744073709551615ul, 0, 64)
GRIDLOCK_LIMITS(long long, -9223372036854775807LL - 1, 9223372036854775807LL, 0, 63)
GRIDLOCK_LIMITS(unsigned long long, 0, 18446744073709551615ull, 0, 64)
GRIDLOCK_LIMITS(float, __FLT_MIN__, __FLT_MAX__, __FLT_EPSILON__, 24)
GRIDLOCK_LIMITS(double, __DBL_MIN__, __DBL_MAX__, __DBL_EPSILON__, 53)
#undef GRIDLOCK_LIMITS
} // namespace std
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

namespace std {
template <class T> struct initializer_list {
  const T *first;
  size_t length;
  size_t size() const;
  const T *begin() const;
  const T *end() const;
};
template <class T> struct allocator {};
template <class T = void> struct less {};
template <class T = void> struct greater {};
template <class T = void> struct plus {};
template <class T> struct hash {};

struct exception {
  exception();
  virtual ~exception();
  virtual const char *what() const;
};
struct runtime_error : exception {
  runtime_error(const char *);
};
struct invalid_argument : exception {
  invalid_argument(const char *);
};
struct out_of_range : exception {
  out_of_range(const char *);
};

struct string {
  static const size_t npos = -1;
  string();
  string(const char *);
  string(const char *, size_t);
  string(size_t, char);
  string(const string &);
  ~string();
  string &operator=(const string &);
  string &operator+=(const string &);
  char &operator[](size_t);
  const char &operator[](size_t) const;
  const char *c_str() const;
  const char *data() const;
  size_t size() const;
  size_t length() const;
  bool empty() const;
  size_t find(const string &, size_t = 0) const;
  size_t find_last_of(const string &, size_t = npos) const;
  size_t find_last_of(char, size_t = npos) const;
  size_t find_first_of(const string &, size_t = 0) const;
  size_t find_first_not_of(const string &, size_t = 0) const;
  size_t find(char, size_t = 0) const;
  size_t rfind(char, size_t = npos) const;
  string &erase(size_t = 0, size_t = npos);
  string &replace(size_t, size_t, const string &);
  string &insert(size_t, const string &);
  void resize(size_t);
  void reserve(size_t);
  void clear();
  char &at(size_t);
  char &back();
  char &front();
  string &operator+=(char);
  size_t rfind(const string &, size_t = npos) const;
  string substr(size_t = 0, size_t = npos) const;
  int compare(const string &) const;
  void push_back(char);
  string &append(const string &);
  char *begin();
  char *end();
};
string operator+(const string &, const string &);
bool operator==(const string &, const string &);
bool operator!=(const string &, const string &);
bool operator<(const string &, const string &);
string to_string(double);
int stoi(const string &, size_t * = 0, int = 10);
long stol(const string &, size_t * = 0, int = 10);
float stof(const string &, size_t * = 0);
double stod(const string &, size_t * = 0);

// The elements go with the vector: nobody gives them back. Copies of a whole vector are not read (their
// constructor and assignment are deleted), nor are vectors of vectors.
template <class T> T *gridlock_elements(size_t);
template <class T> void gridlock_release(T *);
template <class T, class A = allocator<T>> struct vector {
  typedef T value_type;
  typedef T *iterator;
  typedef const T *const_iterator;
  T *gridlock_self;
  size_t used, there;
  vector() : gridlock_self(gridlock_elements<T>(0)), used(0), there(0) {}
  explicit vector(size_t n) : gridlock_self(gridlock_elements<T>(n)), used(n), there(n) {
    for (size_t i = 0; i < n; i++)
      gridlock_self[i] = T();
  }
  vector(size_t n, T value) : gridlock_self(gridlock_elements<T>(n)), used(n), there(n) {
    for (size_t i = 0; i < n; i++)
      gridlock_self[i] = value;
  }
  vector(const T *first, const T *last)
      : gridlock_self(gridlock_elements<T>(last - first)), used(last - first), there(last - first) {
    for (size_t i = 0; i < used; i++)
      gridlock_self[i] = first[i];
  }
  vector(initializer_list<T>);
  vector(const vector &) = delete;
  vector &operator=(const vector &) = delete;
  T &operator[](size_t i) { return gridlock_self[i]; }
  const T &operator[](size_t i) const { return gridlock_self[i]; }
  T &at(size_t i) {
    gridlock_assert__(i < used);
    return gridlock_self[i];
  }
  const T &at(size_t i) const {
    gridlock_assert__(i < used);
    return gridlock_self[i];
  }
  T *data() { return gridlock_self; }
  const T *data() const { return gridlock_self; }
  T *begin() { return gridlock_self; }
  T *end() { return gridlock_self + used; }
  const T *begin() const { return gridlock_self; }
  const T *end() const { return gridlock_self + used; }
  const T *cbegin() const { return gridlock_self; }
  const T *cend() const { return gridlock_self + used; }
  T &front() { return gridlock_self[0]; }
  T &back() { return gridlock_self[used - 1]; }
  const T &front() const { return gridlock_self[0]; }
  const T &back() const { return gridlock_self[used - 1]; }
  size_t size() const { return used; }
  size_t capacity() const { return there; }
  bool empty() const { return used == 0; }
  void reserve(size_t n) {
    if (n > there) {
      T *elements = gridlock_elements<T>(n);
      for (size_t i = 0; i < used; i++)
        elements[i] = gridlock_self[i];
      gridlock_release(gridlock_self);
      gridlock_self = elements;
      there = n;
    }
  }
  void resize(size_t n) {
    reserve(n);
    for (size_t i = used; i < n; i++)
      gridlock_self[i] = T();
    used = n;
  }
  void resize(size_t n, T value) {
    reserve(n);
    for (size_t i = used; i < n; i++)
      gridlock_self[i] = value;
    used = n;
  }
  void assign(size_t n, T value) {
    used = 0;
    reserve(n);
    for (size_t i = 0; i < n; i++)
      gridlock_self[i] = value;
    used = n;
  }
  void push_back(T value) {
    if (used == there)
      reserve(2 * there + 1);
    gridlock_self[used] = value;
    used = used + 1;
  }
  template <class... U> T &emplace_back(U &&...);
  void pop_back() { used = used - 1; }
  void clear() { used = 0; }
  void swap(vector &);
  T *insert(T *, const T &);
  T *erase(T *);
};
template <class T> struct list : vector<T> {};
template <class T> struct deque : vector<T> {};
template <class T> struct queue : vector<T> {};
template <class T> struct stack : vector<T> {};
template <class T, class C = less<T>> struct set : vector<T> {};
template <class T, class C = hash<T>> struct unordered_set : vector<T> {};
template <class K, class V, class C = less<K>> struct map : vector<pair<K, V>> {
  V &operator[](const K &);
  pair<K, V> *find(const K &);
  size_t count(const K &) const;
};
template <class K, class V, class C = hash<K>> struct unordered_map : map<K, V> {};
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
template <class T, size_t N> struct array {
  typedef T value_type;
  typedef size_t size_type;
  typedef T *iterator;
  typedef const T *const_iterator;
  T elements[N];
  T &operator[](size_t i) { return elements[i]; }
  const T &operator[](size_t i) const { return elements[i]; }
  T &at(size_t i) {
    gridlock_assert__(i < N);
    return elements[i];
  }
  const T &at(size_t i) const {
    gridlock_assert__(i < N);
    return elements[i];
  }
  T *data() { return elements; }
  const T *data() const { return elements; }
  T *begin() { return elements; }
  T *end() { return elements + N; }
  const T *begin() const { return elements; }
  const T *end() const { return elements + N; }
  const T *cbegin() const { return elements; }
  const T *cend() const { return elements + N; }
  T &front() { return elements[0]; }
  T &back() { return elements[N - 1]; }
  const T &front() const { return elements[0]; }
  const T &back() const { return elements[N - 1]; }
  constexpr size_t size() const { return N; }
  constexpr bool empty() const { return N == 0; }
  void fill(T value) {
    for (size_t i = 0; i < N; i++)
      elements[i] = value;
  }
};
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
template <class T> struct default_delete {};
template <class T, class D = default_delete<T>> struct unique_ptr {
  unique_ptr();
  explicit unique_ptr(T *);
  ~unique_ptr();
  T *get() const;
  T &operator*() const;
  T *operator->() const;
};
template <class T, class D> struct unique_ptr<T[], D> {
  unique_ptr();
  explicit unique_ptr(T *);
  ~unique_ptr();
  T *get() const;
  T &operator[](size_t) const;
};
template <class T> struct shared_ptr : unique_ptr<T> {};
template <class T, class... U> unique_ptr<T> make_unique(U &&...);
template <class T, class... U> shared_ptr<T> make_shared(U &&...);
template <class F> struct function {};
template <class... T> struct tuple {
  tuple();
  template <class... U> tuple(U &&...);
};
template <class... T> tuple<T...> make_tuple(T...);
template <class... T> tuple<T &...> tie(T &...);
template <size_t at, class T> struct tuple_element;
template <class T, class... U> struct tuple_element<0, tuple<T, U...>> { typedef T type; };
template <size_t at, class T, class... U> struct tuple_element<at, tuple<T, U...>> : tuple_element<at - 1, tuple<U...>> {};
template <class T> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t at, class... T> typename tuple_element<at, tuple<T...>>::type &get(const tuple<T...> &);
template <class T> struct complex {
  typedef T value_type;
  complex(T = T(), T = T());
  template <class U> complex(const complex<U> &);
  T real() const;
  T imag() const;
  void real(T);
  void imag(T);
  complex &operator+=(const complex &);
  complex &operator-=(const complex &);
  complex &operator*=(const complex &);
  complex &operator/=(const complex &);
};
template <class T> complex<T> operator+(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator-(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator*(const complex<T> &, const complex<T> &);
template <class T> complex<T> operator/(const complex<T> &, const complex<T> &);
template <class T> T abs(const complex<T> &);
template <class T> T norm(const complex<T> &);
template <class T> complex<T> conj(const complex<T> &);
template <class T> struct atomic {
  atomic(T = T());
  T load() const;
  void store(T);
  T exchange(T);
  T fetch_add(T);
  T fetch_sub(T);
  operator T() const;
  T operator=(T);
  T operator++();
  T operator--();
};
typedef atomic<int> atomic_int;
typedef atomic<unsigned int> atomic_uint;
typedef atomic<bool> atomic_bool;
struct nothrow_t {};
extern const nothrow_t nothrow;
struct bad_alloc : exception {};
struct logic_error : exception {
  logic_error(const char *);
  logic_error(const string &);
};
struct string_view {
  string_view(const char *);
  const char *data() const;
  size_t size() const;
};
struct condition_variable {
  void notify_one();
  void notify_all();
  template <class L> void wait(L &);
  template <class L, class P> void wait(L &, P);
};
template <class M> struct lock_guard {
  explicit lock_guard(M &);
};
template <class M> struct unique_lock {
  explicit unique_lock(M &);
  void lock();
  void unlock();
};
template <class T> struct optional {
  optional();
  optional(T);
  explicit operator bool() const;
  T &operator*();
  T &value();
  bool has_value() const;
};
struct mutex {
  void lock();
  void unlock();
};
struct thread {
  template <class F, class... A> explicit thread(F, A...);
  void join();
};

struct ios_base {
  static const int in = 1, out = 2, binary = 4, app = 8, ate = 16, trunc = 32, beg = 0, end = 1;
};
struct ios : ios_base {
  static const int in = 1, out = 2, binary = 4, app = 8, ate = 16, trunc = 32, beg = 0, end = 1;
};
struct ostream {
  ostream &write(const char *, long);
  ostream &flush();
  long precision(long);
};
template <class C> struct char_traits {};
template <class C, class T = char_traits<C>> struct basic_ostream : ostream {};
struct istream {
  istream &read(char *, long);
  template <class T> istream &operator>>(T &);
  bool eof() const;
  bool good() const;
  operator bool() const;
};
struct ofstream : ostream {
  ofstream();
  ofstream(const char *, int = 0);
  ofstream(const string &, int = 0);
  void open(const char *, int = 0);
  void close();
  bool is_open() const;
};
struct ifstream : istream {
  ifstream();
  ifstream(const char *, int = 0);
  ifstream(const string &, int = 0);
  void open(const char *, int = 0);
  void close();
  bool is_open() const;
};
struct fstream : ios_base {
  fstream();
  fstream(const char *, int = 0);
  fstream(const string &, int = 0);
  void open(const char *, int = 0);
  void close();
  bool is_open() const;
  operator bool() const;
  fstream &read(char *, long);
  fstream &write(const char *, long);
  fstream &seekg(long, int = 0);
  long tellg();
  template <class T> fstream &operator>>(T &);
  template <class T> fstream &operator<<(const T &);
};
struct stringstream : istream, ostream {
  stringstream();
  stringstream(const string &);
  string str() const;
};
struct istringstream : stringstream {
  istringstream(const string &);
};
struct ostringstream : ostream {
  string str() const;
};
istream &getline(istream &, string &);
extern istream cin;
extern ostream cout, cerr, clog;
struct end_of_line {};
extern end_of_line endl, flush, fixed, scientific, left, right, hex, dec, boolalpha;
end_of_line setw(int);
end_of_line setprecision(int);
end_of_line setfill(char);
template <class T> ostream &operator<<(ostream &, const T &);

// Time is any number: what the units of two durations have to do with one another is not said.
extern "C" long gridlock_time(void);
namespace chrono {
struct nanoseconds {
  long long ticks;
  long long count() const { return ticks; }
};
struct microseconds : nanoseconds {};
struct milliseconds : nanoseconds {};
struct seconds : nanoseconds {};
template <class R = double, class P = int> struct duration {
  R ticks;
  duration() : ticks(0) {}
  template <class T> duration(const T &of) : ticks((R)of.count()) {}
  R count() const { return ticks; }
};
// Of whatever clock, so that all are one type.
struct moment {
  long long ticks;
  nanoseconds time_since_epoch() const { return nanoseconds{ticks}; }
};
template <class Clock, class Duration = nanoseconds> using time_point = moment;
inline nanoseconds operator-(const moment &a, const moment &b) {
  return nanoseconds{a.ticks - b.ticks};
}
struct steady_clock {
  typedef moment time_point;
  static time_point now() { return time_point{gridlock_time()}; }
};
struct system_clock : steady_clock {};
struct high_resolution_clock : steady_clock {};
template <class T, class U> T duration_cast(const U &of) {
  T as = T();
  as.ticks = of.count();
  return as;
}
} // namespace chrono
template <long long N, long long D = 1> struct ratio {};
typedef ratio<1, 1000> milli;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000000000> nano;

template <class I, class... C> void sort(I, I, C...);
template <class I, class... C> void stable_sort(I, I, C...);
template <class T, class V> void fill(T *first, T *last, V value) {
  for (T *at = first; at < last; at++)
    *at = value;
}
template <class T, class N, class V> void fill_n(T *first, N n, V value) {
  for (N i = 0; i < n; i++)
    first[i] = value;
}
template <class T, class V> void iota(T *first, T *last, V value) {
  for (T *at = first; at < last; at++) {
    *at = value;
    value = value + 1;
  }
}
template <class T, class O> O *copy(T *first, T *last, O *to) {
  for (T *at = first; at < last; at++) {
    *to = *at;
    to++;
  }
  return to;
}
template <class T, class G> void generate(T *first, T *last, G &&gives) {
  for (T *at = first; at < last; at++)
    *at = gives();
}
template <class T, class V> V accumulate(T *first, T *last, V sum) {
  for (T *at = first; at < last; at++)
    sum = sum + *at;
  return sum;
}
template <class T> T *max_element(T *first, T *last) {
  T *best = first;
  for (T *at = first; at < last; at++)
    if (*best < *at)
      best = at;
  return best;
}
template <class T> T *min_element(T *first, T *last) {
  T *best = first;
  for (T *at = first; at < last; at++)
    if (*at < *best)
      best = at;
  return best;
}
template <class T, class U> bool equal(T *first, T *last, U *other) {
  for (T *at = first; at < last; at++) {
    if (!(*at == *other))
      return false;
    other++;
  }
  return true;
}
template <class I, class G> void shuffle(I, I, G &&);
template <class I> void reverse(I, I);
extern "C" int rand(void);
struct random_device {
  unsigned int operator()() { return 2u * (unsigned int)rand() + ((unsigned int)rand() & 1u); }
};
// Drawn numbers are any of the range, whatever the seed.
struct mt19937 {
  unsigned int state;
  mt19937(unsigned int seed = 0) : state(seed) {}
  unsigned int operator()() { return 2u * (unsigned int)rand() + ((unsigned int)rand() & 1u); }
  void seed(unsigned int seed) { state = seed; }
};
typedef mt19937 default_random_engine;
typedef mt19937 minstd_rand;
typedef mt19937 mt19937_64;
template <class T = double> struct uniform_real_distribution {
  T least, most;
  uniform_real_distribution(T a = 0, T b = 1) : least(a), most(b) {}
  template <class G> T operator()(G &) { return least + (most - least) * (T)(rand() / 2147483648.0); }
};
template <class T = int> struct uniform_int_distribution {
  T least, most;
  uniform_int_distribution(T a = 0, T b = 1) : least(a), most(b) {}
  template <class G> T operator()(G &) {
    return (T)(least + (T)((unsigned long)rand() % (unsigned long)(most - least + 1)));
  }
};
template <class T = double> struct normal_distribution {
  normal_distribution(T = 0, T = 1);
  template <class G> T operator()(G &);
};
} // namespace std
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
// An object made in memory that is there: refused where it is used.
void *operator new(__SIZE_TYPE__, void *) noexcept;
void *operator new[](__SIZE_TYPE__, void *) noexcept;
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif
#endif
