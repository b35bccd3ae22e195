// Thrust: vectors, iterators and algorithms as declarations. Results have the types that programs rely on; nothing is
// defined, since the lowering only needs to know who is called with what.
#ifndef ECHO_THRUST_H
#define ECHO_THRUST_H
#include <cuda_runtime.h>
#ifdef __cplusplus
#include <complex>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#define THRUST_VERSION 200400
#define THRUST_NS_QUALIFIER thrust
namespace thrust {

template <class T> struct device_ptr;
template <class T> struct device_reference {
    typedef T value_type;
    ECHO_HD operator T() const;
    ECHO_HD device_ptr<T> operator&() const;
    ECHO_HD device_reference &operator=(const T &value);
    ECHO_HD device_reference &operator=(const device_reference &value);
    ECHO_HD device_reference &operator+=(const T &value);
};

#define ECHO_ITERATOR(name, reference_type)                                                                           \
    typedef reference_type reference;                                                                                 \
    typedef std::ptrdiff_t difference_type;                                                                           \
    typedef std::random_access_iterator_tag iterator_category;                                                        \
    ECHO_HD reference operator*() const;                                                                              \
    ECHO_HD reference operator[](std::ptrdiff_t index) const;                                                         \
    ECHO_HD name &operator++();                                                                                       \
    ECHO_HD name operator++(int);                                                                                     \
    ECHO_HD name &operator--();                                                                                       \
    ECHO_HD name &operator+=(std::ptrdiff_t distance);                                                                \
    ECHO_HD name &operator-=(std::ptrdiff_t distance);                                                                \
    ECHO_HD name operator+(std::ptrdiff_t distance) const;                                                            \
    ECHO_HD name operator-(std::ptrdiff_t distance) const;                                                            \
    ECHO_HD std::ptrdiff_t operator-(const name &other) const;                                                        \
    ECHO_HD bool operator==(const name &other) const;                                                                 \
    ECHO_HD bool operator!=(const name &other) const;                                                                 \
    ECHO_HD bool operator<(const name &other) const;

template <class T> struct device_ptr {
    typedef T value_type;
    typedef device_ptr pointer;
    ECHO_ITERATOR(device_ptr, device_reference<T>)
    ECHO_HD device_ptr();
    ECHO_HD explicit device_ptr(T *pointer);
    template <class U> ECHO_HD device_ptr(const device_ptr<U> &other);
    ECHO_HD T *get() const;
    ECHO_HD explicit operator bool() const;
};
template <class T> ECHO_HD device_ptr<T> device_pointer_cast(T *pointer);
template <class T> ECHO_HD device_ptr<T> device_pointer_cast(const device_ptr<T> &pointer);
template <class T> ECHO_HD T *raw_pointer_cast(const device_ptr<T> &pointer);
template <class T> ECHO_HD T *raw_pointer_cast(T *pointer);
template <class T> ECHO_HD T &raw_reference_cast(device_reference<T> reference);
template <class T> ECHO_HD T &raw_reference_cast(T &reference);
template <class T> device_ptr<T> device_malloc(size_t count);
device_ptr<void> device_malloc(size_t bytes);
template <class T> void device_free(device_ptr<T> pointer);
template <class T> struct device_allocator { typedef T value_type; };
template <class T> struct device_malloc_allocator { typedef T value_type; typedef device_ptr<T> pointer; typedef size_t size_type; };

#define ECHO_THRUST_VECTOR(name, allocator, iterator_type, const_iterator_type, reference_type, const_reference_type, \
                           pointer_type)                                                                              \
    template <class T, class Allocator = allocator> struct name {                                                     \
        typedef T value_type;                                                                                         \
        typedef size_t size_type;                                                                                     \
        typedef std::ptrdiff_t difference_type;                                                                       \
        typedef iterator_type iterator;                                                                               \
        typedef const_iterator_type const_iterator;                                                                   \
        typedef reference_type reference;                                                                             \
        typedef const_reference_type const_reference;                                                                 \
        typedef pointer_type pointer;                                                                                 \
        name();                                                                                                       \
        explicit name(size_t count);                                                                                  \
        name(size_t count, const T &value);                                                                           \
        name(const name &other);                                                                                      \
        name(name &&other);                                                                                           \
        template <class V, class = typename V::value_type, class = typename V::size_type> name(const V &other);       \
        name(std::initializer_list<T> values);                                                                        \
        template <class I, class = typename std::iterator_traits<I>::value_type> name(I first, I last);               \
        ~name();                                                                                                      \
        name &operator=(const name &other);                                                                           \
        name &operator=(name &&other);                                                                                \
        template <class V, class = typename V::value_type> name &operator=(const V &other);                           \
        iterator begin();                                                                                             \
        iterator end();                                                                                               \
        const_iterator begin() const;                                                                                 \
        const_iterator end() const;                                                                                   \
        const_iterator cbegin() const;                                                                                \
        const_iterator cend() const;                                                                                  \
        size_t size() const;                                                                                          \
        size_t capacity() const;                                                                                      \
        bool empty() const;                                                                                           \
        pointer data();                                                                                               \
        pointer data() const;                                                                                         \
        reference operator[](size_t index);                                                                           \
        const_reference operator[](size_t index) const;                                                               \
        reference front();                                                                                            \
        reference back();                                                                                             \
        const_reference front() const;                                                                                \
        const_reference back() const;                                                                                 \
        void resize(size_t count);                                                                                    \
        void resize(size_t count, const T &value);                                                                    \
        void reserve(size_t count);                                                                                   \
        void clear();                                                                                                 \
        void shrink_to_fit();                                                                                         \
        void push_back(const T &value);                                                                               \
        void pop_back();                                                                                              \
        void swap(name &other);                                                                                       \
        void assign(size_t count, const T &value);                                                                    \
        template <class I> void assign(I first, I last);                                                              \
        iterator erase(iterator position);                                                                            \
        iterator erase(iterator first, iterator last);                                                                \
        iterator insert(iterator position, const T &value);                                                           \
        template <class I> void insert(iterator position, I first, I last);                                           \
    };                                                                                                                \
    template <class T, class A> bool operator==(const name<T, A> &x, const name<T, A> &y);
ECHO_THRUST_VECTOR(host_vector, std::allocator<T>, T *, const T *, T &, const T &, T *)
ECHO_THRUST_VECTOR(device_vector, device_allocator<T>, device_ptr<T>, device_ptr<const T>, device_reference<T>,
                   device_reference<const T>, device_ptr<T>)

template <class... T> using tuple = std::tuple<T...>;
template <class A, class B> using pair = std::pair<A, B>;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::tie;
template <int i, class T> using tuple_element = std::tuple_element<i, T>;
struct null_type {};

template <class T, class S = T, class D = std::ptrdiff_t, class R = T> struct counting_iterator {
    typedef T value_type;
    typedef const T *pointer;
    ECHO_ITERATOR(counting_iterator, T)
    ECHO_HD counting_iterator();
    ECHO_HD explicit counting_iterator(T first);
};
template <class T> ECHO_HD counting_iterator<T> make_counting_iterator(T first);
template <class T> struct constant_iterator {
    typedef T value_type;
    typedef const T *pointer;
    ECHO_ITERATOR(constant_iterator, T)
    ECHO_HD constant_iterator(T value);
};
template <class T> ECHO_HD constant_iterator<T> make_constant_iterator(T value);
template <class F, class I, class R = void, class V = void> struct transform_iterator {
    typedef decltype(std::declval<F>()(*std::declval<I>())) value_type;
    typedef const value_type *pointer;
    ECHO_ITERATOR(transform_iterator, value_type)
    ECHO_HD transform_iterator(I iterator, F function);
    ECHO_HD I base() const;
};
template <class F, class I> ECHO_HD transform_iterator<F, I> make_transform_iterator(I iterator, F function);
template <class E, class I> struct permutation_iterator {
    typedef typename std::iterator_traits<E>::value_type value_type;
    typedef const value_type *pointer;
    ECHO_ITERATOR(permutation_iterator, typename std::iterator_traits<E>::reference)
    ECHO_HD permutation_iterator(E elements, I indices);
};
template <class E, class I> ECHO_HD permutation_iterator<E, I> make_permutation_iterator(E elements, I indices);
template <class I> struct reverse_iterator {
    typedef typename std::iterator_traits<I>::value_type value_type;
    typedef const value_type *pointer;
    ECHO_ITERATOR(reverse_iterator, typename std::iterator_traits<I>::reference)
    ECHO_HD explicit reverse_iterator(I iterator);
};
template <class I> ECHO_HD reverse_iterator<I> make_reverse_iterator(I iterator);
template <class> struct echo_zip_value;
template <class... I> struct echo_zip_value<std::tuple<I...>> {
    typedef std::tuple<typename std::iterator_traits<I>::value_type...> value_type;
    typedef std::tuple<typename std::iterator_traits<I>::reference...> reference;
};
template <class T> struct zip_iterator {
    typedef typename echo_zip_value<T>::value_type value_type;
    typedef const value_type *pointer;
    ECHO_ITERATOR(zip_iterator, typename echo_zip_value<T>::reference)
    ECHO_HD zip_iterator(T iterators);
    ECHO_HD const T &get_iterator_tuple() const;
};
template <class... I> ECHO_HD zip_iterator<std::tuple<I...>> make_zip_iterator(std::tuple<I...> iterators);
template <class... I> ECHO_HD zip_iterator<std::tuple<I...>> make_zip_iterator(I... iterators);
struct discard_iterator {
    typedef int value_type;
    typedef int *pointer;
    ECHO_ITERATOR(discard_iterator, int)
};
ECHO_HD discard_iterator make_discard_iterator();
template <class I> using iterator_difference = std::iterator_traits<I>;
template <class I> struct iterator_value { typedef typename std::iterator_traits<I>::value_type type; };

#define ECHO_FUNCTION2(name, result)                                                                                  \
    template <class T = void> struct name {                                                                           \
        typedef T first_argument_type;                                                                                \
        typedef T second_argument_type;                                                                               \
        ECHO_HD result operator()(const T &x, const T &y) const;                                                      \
    };                                                                                                                \
    template <> struct name<void> {                                                                                   \
        template <class A, class B> ECHO_HD auto operator()(const A &x, const B &y) const -> A;                       \
    };
ECHO_FUNCTION2(plus, T)
ECHO_FUNCTION2(minus, T)
ECHO_FUNCTION2(multiplies, T)
ECHO_FUNCTION2(divides, T)
ECHO_FUNCTION2(modulus, T)
ECHO_FUNCTION2(maximum, T)
ECHO_FUNCTION2(minimum, T)
ECHO_FUNCTION2(bit_and, T)
ECHO_FUNCTION2(bit_or, T)
ECHO_FUNCTION2(bit_xor, T)
ECHO_FUNCTION2(less, bool)
ECHO_FUNCTION2(less_equal, bool)
ECHO_FUNCTION2(greater, bool)
ECHO_FUNCTION2(greater_equal, bool)
ECHO_FUNCTION2(equal_to, bool)
ECHO_FUNCTION2(not_equal_to, bool)
ECHO_FUNCTION2(logical_and, bool)
ECHO_FUNCTION2(logical_or, bool)
template <class T = void> struct negate { ECHO_HD T operator()(const T &x) const; };
template <class T = void> struct identity { ECHO_HD const T &operator()(const T &x) const; };
template <class T = void> struct square { ECHO_HD T operator()(const T &x) const; };
template <class T = void> struct logical_not { ECHO_HD bool operator()(const T &x) const; };
template <class A, class R> struct unary_function { typedef A argument_type; typedef R result_type; };
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};
namespace placeholders {
struct echo_placeholder {
    template <class T> ECHO_HD echo_placeholder operator+(const T &x) const;
    template <class T> ECHO_HD echo_placeholder operator-(const T &x) const;
    template <class T> ECHO_HD echo_placeholder operator*(const T &x) const;
    template <class T> ECHO_HD echo_placeholder operator/(const T &x) const;
    template <class T> ECHO_HD echo_placeholder operator<(const T &x) const;
    template <class T> ECHO_HD echo_placeholder operator>(const T &x) const;
    template <class T> ECHO_HD echo_placeholder operator==(const T &x) const;
    template <class... T> ECHO_HD float operator()(const T &...x) const;
};
extern echo_placeholder _1, _2, _3;
}

// Execution policies.
struct echo_policy {
    template <class T> echo_policy operator()(const T &allocator) const;
    echo_policy on(cudaStream_t stream) const;
};
extern const echo_policy host, device, seq;
namespace cuda {
extern const echo_policy par, par_nosync;
}
namespace omp {
extern const echo_policy par;
}
template <class T> struct execution_policy {};
template <class T> struct is_echo_policy : std::is_same<typename std::decay<T>::type, echo_policy> {};

// An algorithm takes iterators, or a policy and iterators.
#define ECHO_ALGORITHM(name, result)                                                                                  \
    template <class A, class... Rest, class = typename std::enable_if<!is_echo_policy<A>::value>::type>               \
    ECHO_HD result name(A first, Rest... rest);                                                                       \
    template <class P, class A, class... Rest, class = typename std::enable_if<is_echo_policy<P>::value>::type,       \
              class = void>                                                                                           \
    ECHO_HD result name(const P &policy, A first, Rest... rest);
ECHO_ALGORITHM(sort, void)
ECHO_ALGORITHM(stable_sort, void)
ECHO_ALGORITHM(sort_by_key, void)
ECHO_ALGORITHM(stable_sort_by_key, void)
ECHO_ALGORITHM(fill, void)
ECHO_ALGORITHM(sequence, void)
ECHO_ALGORITHM(generate, void)
ECHO_ALGORITHM(tabulate, void)
ECHO_ALGORITHM(replace, void)
ECHO_ALGORITHM(replace_if, void)
ECHO_ALGORITHM(reverse, void)
ECHO_ALGORITHM(gather, void)
ECHO_ALGORITHM(scatter, void)
ECHO_ALGORITHM(scatter_if, void)
ECHO_ALGORITHM(adjacent_difference, void)
ECHO_ALGORITHM(shuffle, void)
ECHO_ALGORITHM(transform_if, void)
ECHO_ALGORITHM(uninitialized_fill, void)
ECHO_ALGORITHM(exclusive_scan_by_key, void)
ECHO_ALGORITHM(inclusive_scan_by_key, void)
ECHO_ALGORITHM(for_each, A)
ECHO_ALGORITHM(for_each_n, A)
ECHO_ALGORITHM(fill_n, A)
ECHO_ALGORITHM(remove, A)
ECHO_ALGORITHM(remove_if, A)
ECHO_ALGORITHM(unique, A)
ECHO_ALGORITHM(partition, A)
ECHO_ALGORITHM(stable_partition, A)
ECHO_ALGORITHM(find, A)
ECHO_ALGORITHM(find_if, A)
ECHO_ALGORITHM(find_if_not, A)
ECHO_ALGORITHM(max_element, A)
ECHO_ALGORITHM(min_element, A)
ECHO_ALGORITHM(lower_bound, A)
ECHO_ALGORITHM(upper_bound, A)
ECHO_ALGORITHM(is_sorted_until, A)

ECHO_ALGORITHM(equal, bool)
ECHO_ALGORITHM(is_sorted, bool)
ECHO_ALGORITHM(any_of, bool)
ECHO_ALGORITHM(all_of, bool)
ECHO_ALGORITHM(none_of, bool)
ECHO_ALGORITHM(binary_search, bool)
ECHO_ALGORITHM(count, std::ptrdiff_t)
ECHO_ALGORITHM(count_if, std::ptrdiff_t)
ECHO_ALGORITHM(distance, std::ptrdiff_t)
#undef ECHO_ALGORITHM
#define ECHO_TO(name)                                                                                                 \
    template <class A, class B, class C, class... Rest, class = typename std::enable_if<!is_echo_policy<A>::value>::type> \
    ECHO_HD C name(A first, B last, C to, Rest... rest);                                                              \
    template <class P, class A, class B, class C, class... Rest,                                                      \
              class = typename std::enable_if<is_echo_policy<P>::value>::type, class = void>                          \
    ECHO_HD C name(const P &policy, A first, B last, C to, Rest... rest);
ECHO_TO(copy)
ECHO_TO(copy_if)
ECHO_TO(copy_n)
ECHO_TO(remove_copy_if)
ECHO_TO(unique_copy)
ECHO_TO(reverse_copy)
ECHO_TO(transform)
ECHO_TO(inclusive_scan)
ECHO_TO(exclusive_scan)
ECHO_TO(transform_inclusive_scan)
ECHO_TO(transform_exclusive_scan)
ECHO_TO(merge)
ECHO_TO(set_union)
ECHO_TO(set_intersection)
ECHO_TO(set_difference)
#define ECHO_VALUE(name)                                                                                              \
    template <class A, class... Rest, class = typename std::enable_if<!is_echo_policy<A>::value>::type>               \
    ECHO_HD auto name(A first, A last, Rest... rest) -> typename std::iterator_traits<A>::value_type;                 \
    template <class P, class A, class... Rest, class = typename std::enable_if<is_echo_policy<P>::value>::type,       \
              class = void>                                                                                           \
    ECHO_HD auto name(const P &policy, A first, A last, Rest... rest) -> typename std::iterator_traits<A>::value_type;
ECHO_VALUE(reduce)
template <class A, class F, class T, class G> ECHO_HD T transform_reduce(A first, A last, F function, T initial, G op);
template <class P, class A, class F, class T, class G>
ECHO_HD T transform_reduce(const P &policy, A first, A last, F function, T initial, G op);
template <class A, class B, class T, class... Rest> ECHO_HD T inner_product(A first, A last, B other, T initial, Rest... rest);
template <class K, class V, class KO, class VO, class... Rest>
ECHO_HD std::pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out, Rest... rest);
template <class K, class V, class... Rest> ECHO_HD std::pair<K, V> unique_by_key(K first, K last, V values, Rest... rest);
template <class A> ECHO_HD std::pair<A, A> minmax_element(A first, A last);
template <class A, class B> ECHO_HD void swap(A &x, B &y);
template <class T> ECHO_HD T min(T x, T y);
template <class T> ECHO_HD T max(T x, T y);
template <class A> ECHO_HD void advance(A &iterator, std::ptrdiff_t distance);

// Random numbers.
struct echo_engine {
    typedef unsigned int result_type;
    ECHO_HD explicit echo_engine(unsigned int seed = 1);
    ECHO_HD unsigned int operator()();
    ECHO_HD void discard(unsigned long long count);
    ECHO_HD void seed(unsigned int seed = 1);
    static constexpr unsigned int min() { return 0; }
    static constexpr unsigned int max() { return 0xffffffffu; }
};
typedef echo_engine default_random_engine;
typedef echo_engine minstd_rand;
typedef echo_engine minstd_rand0;
template <class T = int> struct uniform_int_distribution {
    ECHO_HD uniform_int_distribution(T low = 0, T high = 0);
    template <class E> ECHO_HD T operator()(E &engine);
};
template <class T = double> struct uniform_real_distribution {
    ECHO_HD uniform_real_distribution(T low = 0, T high = 1);
    template <class E> ECHO_HD T operator()(E &engine);
};
template <class T = double> struct normal_distribution {
    ECHO_HD normal_distribution(T mean = 0, T deviation = 1);
    template <class E> ECHO_HD T operator()(E &engine);
};
namespace random {
using thrust::default_random_engine;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
}

template <class T> struct complex {
    typedef T value_type;
    T x, y;
    ECHO_HD complex(const T &real = T(), const T &imaginary = T());
    template <class U> ECHO_HD complex(const complex<U> &other);
    template <class U> ECHO_HD complex(const std::complex<U> &other);
    ECHO_HD T real() const;
    ECHO_HD T imag() const;
    ECHO_HD void real(T value);
    ECHO_HD void imag(T value);
    ECHO_HD complex &operator+=(const complex &other);
    ECHO_HD complex &operator-=(const complex &other);
    ECHO_HD complex &operator*=(const complex &other);
    ECHO_HD complex &operator/=(const complex &other);
    operator std::complex<T>() const;
};
#define ECHO_COMPLEX_OPERATOR(op)                                                                                     \
    template <class T> ECHO_HD complex<T> operator op(const complex<T> &x, const complex<T> &y);                      \
    template <class T> ECHO_HD complex<T> operator op(const complex<T> &x, const T &y);                               \
    template <class T> ECHO_HD complex<T> operator op(const T &x, const complex<T> &y);
ECHO_COMPLEX_OPERATOR(+)
ECHO_COMPLEX_OPERATOR(-)
ECHO_COMPLEX_OPERATOR(*)
ECHO_COMPLEX_OPERATOR(/)
template <class T> ECHO_HD complex<T> operator-(const complex<T> &x);
template <class T> ECHO_HD bool operator==(const complex<T> &x, const complex<T> &y);
template <class T> ECHO_HD T abs(const complex<T> &x);
template <class T> ECHO_HD T norm(const complex<T> &x);
template <class T> ECHO_HD T arg(const complex<T> &x);
template <class T> ECHO_HD complex<T> conj(const complex<T> &x);
template <class T> ECHO_HD complex<T> exp(const complex<T> &x);
template <class T> ECHO_HD complex<T> sqrt(const complex<T> &x);
template <class T> ECHO_HD complex<T> polar(const T &magnitude, const T &angle = T());

namespace system {
struct system_error {
    const char *what() const;
};
}
using system::system_error;
}
#endif
#endif
