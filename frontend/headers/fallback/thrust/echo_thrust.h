// Thrust: vectors and iterators as declarations, algorithms as what they do with memory. Bodies in this file are lowered
// like code of the program: pointers can be followed through `device_ptr` and iterators, and every algorithm ends in one
// of the functions `echo_..._work`, whose effects are modelled.
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

// Work on all that the arguments lead to: on the device in a stream; the same, and the host waits; the same two, but only
// reading; on the host.
template <class... T> ECHO_HD void echo_device_work(cudaStream_t stream, T... arguments);
template <class... T> ECHO_HD void echo_device_input(cudaStream_t stream, T... arguments);
template <class... T> ECHO_HD void echo_device_value(cudaStream_t stream, T... arguments);
template <class... T> ECHO_HD void echo_device_result(cudaStream_t stream, T... arguments);
template <class... T> ECHO_HD void echo_host_work(T... arguments);
// Some number, or some value.
ECHO_HD std::ptrdiff_t echo_count();
template <class T> ECHO_HD T echo_value();

template <class T> struct device_ptr;
// Reading or writing an element from the host is a copy that waits.
template <class T> struct device_reference {
    typedef T value_type;
    T *echo_pointer;
    ECHO_HD operator T() const {
        echo_device_result(0, echo_pointer);
        return echo_value<T>();
    }
    ECHO_HD device_ptr<T> operator&() const;
    ECHO_HD device_reference &operator=(const T &value) {
        echo_device_result(0, echo_pointer);
        return *this;
    }
    ECHO_HD device_reference &operator=(const device_reference &value) {
        echo_device_result(0, echo_pointer, value.echo_pointer);
        return *this;
    }
    ECHO_HD device_reference &operator+=(const T &value) {
        echo_device_result(0, echo_pointer);
        return *this;
    }
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
    typedef device_reference<T> reference;
    typedef std::ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;
    T *echo_pointer;
    ECHO_HD device_ptr() : echo_pointer(nullptr) {}
    ECHO_HD explicit device_ptr(T *pointer) : echo_pointer(pointer) {}
    template <class U> ECHO_HD device_ptr(const device_ptr<U> &other) : echo_pointer((T *)other.echo_pointer) {}
    ECHO_HD T *get() const { return echo_pointer; }
    ECHO_HD explicit operator bool() const { return echo_pointer != nullptr; }
    ECHO_HD reference operator*() const { return device_reference<T>{echo_pointer}; }
    ECHO_HD reference operator[](std::ptrdiff_t index) const { return device_reference<T>{echo_pointer + index}; }
    ECHO_HD device_ptr operator+(std::ptrdiff_t distance) const { return device_ptr(echo_pointer + distance); }
    ECHO_HD device_ptr operator-(std::ptrdiff_t distance) const { return device_ptr(echo_pointer - distance); }
    ECHO_HD std::ptrdiff_t operator-(const device_ptr &other) const { return echo_pointer - other.echo_pointer; }
    ECHO_HD device_ptr &operator++() {
        echo_pointer = echo_pointer + 1;
        return *this;
    }
    ECHO_HD device_ptr operator++(int) {
        device_ptr old(echo_pointer);
        echo_pointer = echo_pointer + 1;
        return old;
    }
    ECHO_HD device_ptr &operator--() {
        echo_pointer = echo_pointer - 1;
        return *this;
    }
    ECHO_HD device_ptr &operator+=(std::ptrdiff_t distance) {
        echo_pointer = echo_pointer + distance;
        return *this;
    }
    ECHO_HD device_ptr &operator-=(std::ptrdiff_t distance) {
        echo_pointer = echo_pointer - distance;
        return *this;
    }
    ECHO_HD bool operator==(const device_ptr &other) const { return echo_pointer == other.echo_pointer; }
    ECHO_HD bool operator!=(const device_ptr &other) const { return echo_pointer != other.echo_pointer; }
    ECHO_HD bool operator<(const device_ptr &other) const { return echo_pointer < other.echo_pointer; }
};
template <> struct device_ptr<void> {
    typedef void value_type;
    void *echo_pointer;
    ECHO_HD device_ptr() : echo_pointer(nullptr) {}
    ECHO_HD explicit device_ptr(void *pointer) : echo_pointer(pointer) {}
    template <class U> ECHO_HD device_ptr(const device_ptr<U> &other) : echo_pointer((void *)other.echo_pointer) {}
    ECHO_HD void *get() const { return echo_pointer; }
};
template <class T> ECHO_HD device_ptr<T> device_reference<T>::operator&() const { return device_ptr<T>(echo_pointer); }
template <class T> ECHO_HD device_ptr<T> device_pointer_cast(T *pointer) { return device_ptr<T>(pointer); }
template <class T> ECHO_HD device_ptr<T> device_pointer_cast(const device_ptr<T> &pointer) { return pointer; }
template <class T> ECHO_HD T *raw_pointer_cast(const device_ptr<T> &pointer) { return pointer.echo_pointer; }
template <class T> ECHO_HD T *raw_pointer_cast(T *pointer) { return pointer; }
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
using std::get;
using std::make_tuple;
using std::tie;
template <int i, class T> using tuple_element = std::tuple_element<i, T>;
struct null_type {};

template <class T, class S = T, class D = std::ptrdiff_t, class R = T> struct counting_iterator {
    typedef T value_type;
    typedef const T *pointer;
    ECHO_ITERATOR(counting_iterator, T)
    ECHO_HD counting_iterator() {}
    ECHO_HD explicit counting_iterator(T first) {}
};
template <class T> ECHO_HD counting_iterator<T> make_counting_iterator(T first) {
    return counting_iterator<T>(first);
}
template <class T> struct constant_iterator {
    typedef T value_type;
    typedef const T *pointer;
    ECHO_ITERATOR(constant_iterator, T)
    ECHO_HD constant_iterator(T value) {}
};
template <class T> ECHO_HD constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }
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
struct echo_host_policy {
    template <class T> ECHO_HD echo_host_policy operator()(const T &allocator) const { return echo_host_policy(); }
};
struct echo_stream_policy {
    cudaStream_t echo_stream;
    template <class T> ECHO_HD echo_stream_policy operator()(const T &allocator) const {
        return echo_stream_policy{echo_stream};
    }
};
struct echo_device_policy {
    template <class T> ECHO_HD echo_device_policy operator()(const T &allocator) const { return echo_device_policy(); }
    ECHO_HD echo_stream_policy on(cudaStream_t stream) const { return echo_stream_policy{stream}; }
};
extern const echo_host_policy host, seq;
extern const echo_device_policy device;
namespace cuda {
extern const echo_device_policy par, par_nosync;
}
namespace omp {
extern const echo_host_policy par;
}
template <class T> struct execution_policy {};
template <class T> struct is_echo_policy {
    typedef typename std::decay<T>::type type;
    static constexpr bool value = std::is_same<type, echo_host_policy>::value ||
                                  std::is_same<type, echo_stream_policy>::value ||
                                  std::is_same<type, echo_device_policy>::value;
};

// Whether working on a value runs no code of the program: numbers, and known operators on numbers.
template <class T> struct echo_plain {
    static constexpr bool value = std::is_arithmetic<T>::value || std::is_enum<T>::value;
};
template <class T> struct echo_plain<T *> : echo_plain<typename std::remove_cv<T>::type> {};
template <class T> struct echo_plain<device_ptr<T>> : echo_plain<typename std::remove_cv<T>::type> {};
template <class T, class S, class D, class R> struct echo_plain<counting_iterator<T, S, D, R>> : echo_plain<T> {};
template <class T> struct echo_plain<constant_iterator<T>> : echo_plain<T> {};
template <> struct echo_plain<discard_iterator> : std::true_type {};
#define ECHO_PLAIN(name)                                                                                              \
    template <class T> struct echo_plain<name<T>> : echo_plain<T> {};                                                 \
    template <> struct echo_plain<name<void>> : std::true_type {};
ECHO_PLAIN(plus)
ECHO_PLAIN(minus)
ECHO_PLAIN(multiplies)
ECHO_PLAIN(divides)
ECHO_PLAIN(modulus)
ECHO_PLAIN(maximum)
ECHO_PLAIN(minimum)
ECHO_PLAIN(bit_and)
ECHO_PLAIN(bit_or)
ECHO_PLAIN(bit_xor)
ECHO_PLAIN(less)
ECHO_PLAIN(less_equal)
ECHO_PLAIN(greater)
ECHO_PLAIN(greater_equal)
ECHO_PLAIN(equal_to)
ECHO_PLAIN(not_equal_to)
ECHO_PLAIN(logical_and)
ECHO_PLAIN(logical_or)
ECHO_PLAIN(negate)
ECHO_PLAIN(identity)
ECHO_PLAIN(square)
ECHO_PLAIN(logical_not)
template <class... T> struct echo_all_plain;
template <> struct echo_all_plain<> { static constexpr bool value = true; };
template <class T, class... Rest> struct echo_all_plain<T, Rest...> {
    static constexpr bool value = echo_plain<T>::value && echo_all_plain<Rest...>::value;
};

// Where an algorithm without a policy runs: 1 on the host, 2 on the device, 3 on either, 0 as the others say.
template <class T> struct echo_is_type { typedef void type; };
template <class T, class = void> struct echo_iterates { static constexpr int value = 0; };
template <class T> struct echo_iterates<T, typename echo_is_type<typename T::iterator_category>::type> {
    static constexpr int value = 3;
};
template <class T> struct echo_system : echo_iterates<T> {};
template <class T> struct echo_system<T *> { static constexpr int value = 1; };
template <class T> struct echo_system<device_ptr<T>> { static constexpr int value = 2; };
template <class T, class S, class D, class R> struct echo_system<counting_iterator<T, S, D, R>> {
    static constexpr int value = 0;
};
template <class T> struct echo_system<constant_iterator<T>> { static constexpr int value = 0; };
template <> struct echo_system<discard_iterator> { static constexpr int value = 0; };
template <class... T> struct echo_systems;
template <> struct echo_systems<> { static constexpr int value = 0; };
template <class T, class... Rest> struct echo_systems<T, Rest...> {
    static constexpr int value = echo_system<T>::value | echo_systems<Rest...>::value;
};

// Code of the program that an algorithm runs: not followed.
template <class... T> struct echo_user { static void (*code)(T...); };
template <bool value> struct echo_flag {};
template <int value> struct echo_place {};
// What an algorithm does with some of its arguments: work on them; read them for a value; read them.
constexpr int echo_works = 0, echo_values = 1, echo_inputs = 2;
template <class... T> ECHO_HD void echo_device(echo_place<echo_works>, cudaStream_t stream, T... arguments) {
    echo_device_work(stream, arguments...);
}
template <class... T> ECHO_HD void echo_device(echo_place<echo_values>, cudaStream_t stream, T... arguments) {
    echo_device_value(stream, arguments...);
}
template <class... T> ECHO_HD void echo_device(echo_place<echo_inputs>, cudaStream_t stream, T... arguments) {
    echo_device_input(stream, arguments...);
}
template <int what, class... T> ECHO_HD void echo_on_device(echo_flag<false>, cudaStream_t, T... arguments) {
    echo_user<T...>::code(arguments...);
}
template <int what, class... T> ECHO_HD void echo_on_device(echo_flag<true>, cudaStream_t stream, T... arguments) {
    echo_device(echo_place<what>(), stream, arguments...);
}
template <class... T> ECHO_HD void echo_on_host(echo_flag<false>, T... arguments) {
    echo_user<T...>::code(arguments...);
}
template <class... T> ECHO_HD void echo_on_host(echo_flag<true>, T... arguments) { echo_host_work(arguments...); }

template <int what, class... T> ECHO_HD void echo_run(echo_place<2>, T... arguments) {
    echo_on_device<what>(echo_flag<echo_all_plain<T...>::value>(), 0, arguments...);
}
template <int what, class... T> ECHO_HD void echo_run(echo_place<1>, T... arguments) {
    echo_on_host(echo_flag<echo_all_plain<T...>::value>(), arguments...);
}
template <int what, class... T> ECHO_HD void echo_run(echo_place<3>, T... arguments) {
    echo_on_host(echo_flag<echo_all_plain<T...>::value>(), arguments...);
    echo_on_device<what>(echo_flag<echo_all_plain<T...>::value>(), 0, arguments...);
}
template <int what, class... T> ECHO_HD void echo_run(echo_place<0>, T... arguments) {
    echo_run<what>(echo_place<3>(), arguments...);
}
template <int what, class... T> ECHO_HD void echo_run(const echo_host_policy &, T... arguments) {
    echo_on_host(echo_flag<echo_all_plain<T...>::value>(), arguments...);
}
template <int what, class... T> ECHO_HD void echo_run(const echo_device_policy &, T... arguments) {
    echo_on_device<what>(echo_flag<echo_all_plain<T...>::value>(), 0, arguments...);
}
template <int what, class... T> ECHO_HD void echo_run(const echo_stream_policy &policy, T... arguments) {
    echo_on_device<what>(echo_flag<echo_all_plain<T...>::value>(), policy.echo_stream, arguments...);
}
// The first arguments are only read; unless code of the program runs, which might do anything to them.
template <class P, class... T> ECHO_HD void echo_split(echo_flag<false>, echo_place<2>, const P &policy, T... all) {
    echo_run<echo_works>(policy, all...);
}
template <class P, class... T> ECHO_HD void echo_split(echo_flag<false>, echo_place<3>, const P &policy, T... all) {
    echo_run<echo_works>(policy, all...);
}
template <class P, class... T> ECHO_HD void echo_split(echo_flag<false>, echo_place<4>, const P &policy, T... all) {
    echo_run<echo_works>(policy, all...);
}
template <class P, bool plain, class... T>
ECHO_HD void echo_split(echo_flag<plain>, echo_place<0>, const P &policy, T... all) {
    echo_run<echo_works>(policy, all...);
}
template <class P, class A, class B, class... T>
ECHO_HD void echo_split(echo_flag<true>, echo_place<2>, const P &policy, A a, B b, T... rest) {
    echo_run<echo_inputs>(policy, a, b);
    echo_run<echo_works>(policy, rest...);
}
template <class P, class A, class B, class C, class... T>
ECHO_HD void echo_split(echo_flag<true>, echo_place<3>, const P &policy, A a, B b, C c, T... rest) {
    echo_run<echo_inputs>(policy, a, b, c);
    echo_run<echo_works>(policy, rest...);
}
template <class P, class A, class B, class C, class D, class... T>
ECHO_HD void echo_split(echo_flag<true>, echo_place<4>, const P &policy, A a, B b, C c, D d, T... rest) {
    echo_run<echo_inputs>(policy, a, b, c, d);
    echo_run<echo_works>(policy, rest...);
}

template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    ECHO_HD pair() {}
    ECHO_HD pair(A x, B y) : first(x), second(y) {}
};
template <class A, class B> ECHO_HD pair<A, B> make_pair(A x, B y) { return pair<A, B>(x, y); }

template <int n, class... T> using echo_type = typename std::tuple_element<n, std::tuple<T...>>::type;
template <class A, class... T> ECHO_HD A echo_get(echo_place<0>, A x, T...) { return x; }
template <class A, class B, class C, class... T> ECHO_HD C echo_get(echo_place<2>, A, B, C x, T...) { return x; }
template <class A, class B, class C, class D, class... T> ECHO_HD D echo_get(echo_place<3>, A, B, C, D x, T...) {
    return x;
}
template <class A, class B, class C, class D, class E, class... T>
ECHO_HD E echo_get(echo_place<4>, A, B, C, D, E x, T...) {
    return x;
}

// An algorithm takes iterators, or a policy and iterators.
#define ECHO_ALGORITHM(name, what, gives, ...)                                                                        \
    template <class A, class... T, class = typename std::enable_if<!is_echo_policy<A>::value>::type>                  \
    ECHO_HD gives name(A first, T... rest) {                                                                          \
        echo_run<what>(echo_place<echo_systems<A, T...>::value>(), first, rest...);                              \
        __VA_ARGS__                                                                                                   \
    }                                                                                                                 \
    template <class P, class A, class... T, class = typename std::enable_if<is_echo_policy<P>::value>::type,          \
              class = void>                                                                                           \
    ECHO_HD gives name(const P &policy, A first, T... rest) {                                                         \
        echo_run<what>(policy, first, rest...);                                                                       \
        __VA_ARGS__                                                                                                   \
    }
#define ECHO_NOTHING(name) ECHO_ALGORITHM(name, echo_works, void, )
#define ECHO_FIRST(name, what) ECHO_ALGORITHM(name, what, A, return first + echo_count();)
#define ECHO_GIVES(name, ...) ECHO_ALGORITHM(name, echo_values, __VA_ARGS__, return echo_value<__VA_ARGS__>();)
// It writes what begins at the argument `n`.
#define ECHO_INTO(name, n)                                                                                            \
    template <class A, class... T, class = typename std::enable_if<!is_echo_policy<A>::value>::type>                  \
    ECHO_HD void name(A first, T... rest) {                                                                           \
        echo_split(echo_flag<echo_all_plain<A, T...>::value>(), echo_place<(n)>(),                                    \
                   echo_place<echo_systems<A, T...>::value>(), first, rest...);                                       \
    }                                                                                                                 \
    template <class P, class A, class... T, class = typename std::enable_if<is_echo_policy<P>::value>::type,          \
              class = void>                                                                                           \
    ECHO_HD void name(const P &policy, A first, T... rest) {                                                          \
        echo_split(echo_flag<echo_all_plain<A, T...>::value>(), echo_place<(n)>(), policy, first, rest...);           \
    }
// It returns the end of what begins at the argument `n`, which may depend on how many there are.
#define ECHO_ALL (sizeof...(T) + 1)
#define ECHO_TO(name, n)                                                                                              \
    template <class A, class... T, class = typename std::enable_if<!is_echo_policy<A>::value>::type>                  \
    ECHO_HD echo_type<(n), A, T...> name(A first, T... rest) {                                                        \
        echo_split(echo_flag<echo_all_plain<A, T...>::value>(), echo_place<(n)>(),                                    \
                   echo_place<echo_systems<A, T...>::value>(), first, rest...);                                       \
        return echo_get(echo_place<(n)>(), first, rest...) + echo_count();                                            \
    }                                                                                                                 \
    template <class P, class A, class... T, class = typename std::enable_if<is_echo_policy<P>::value>::type,          \
              class = void>                                                                                           \
    ECHO_HD echo_type<(n), A, T...> name(const P &policy, A first, T... rest) {                                       \
        echo_split(echo_flag<echo_all_plain<A, T...>::value>(), echo_place<(n)>(), policy, first, rest...);           \
        return echo_get(echo_place<(n)>(), first, rest...) + echo_count();                                            \
    }
ECHO_NOTHING(sort)
ECHO_NOTHING(stable_sort)
ECHO_NOTHING(sort_by_key)
ECHO_NOTHING(stable_sort_by_key)
ECHO_NOTHING(fill)
ECHO_NOTHING(uninitialized_fill)
ECHO_NOTHING(sequence)
ECHO_NOTHING(generate)
ECHO_NOTHING(tabulate)
ECHO_NOTHING(replace)
ECHO_NOTHING(replace_if)
ECHO_NOTHING(reverse)
ECHO_NOTHING(shuffle)
ECHO_FIRST(for_each, echo_works)
ECHO_FIRST(for_each_n, echo_works)
ECHO_FIRST(fill_n, echo_works)
ECHO_FIRST(remove, echo_works)
ECHO_FIRST(remove_if, echo_works)
ECHO_FIRST(unique, echo_works)
ECHO_FIRST(partition, echo_works)
ECHO_FIRST(stable_partition, echo_works)
ECHO_FIRST(find, echo_values)
ECHO_FIRST(find_if, echo_values)
ECHO_FIRST(find_if_not, echo_values)
ECHO_FIRST(max_element, echo_values)
ECHO_FIRST(min_element, echo_values)
ECHO_FIRST(is_sorted_until, echo_values)
ECHO_GIVES(equal, bool)
ECHO_GIVES(is_sorted, bool)
ECHO_GIVES(any_of, bool)
ECHO_GIVES(all_of, bool)
ECHO_GIVES(none_of, bool)
ECHO_GIVES(count, std::ptrdiff_t)
ECHO_GIVES(count_if, std::ptrdiff_t)
ECHO_GIVES(reduce, typename std::iterator_traits<A>::value_type)
ECHO_TO(copy, 2)
ECHO_TO(copy_n, 2)
ECHO_TO(unique_copy, 2)
ECHO_TO(reverse_copy, 2)
ECHO_TO(remove_copy, 2)
ECHO_TO(replace_copy, 2)
ECHO_TO(inclusive_scan, 2)
ECHO_TO(exclusive_scan, 2)
ECHO_TO(transform_inclusive_scan, 2)
ECHO_TO(transform_exclusive_scan, 2)
ECHO_TO(adjacent_difference, 2)
ECHO_TO(transform, ECHO_ALL == 4 ? 2 : 3)
ECHO_TO(copy_if, ECHO_ALL == 4 ? 2 : 3)
ECHO_TO(remove_copy_if, ECHO_ALL == 4 ? 2 : 3)
ECHO_TO(gather, 3)
ECHO_TO(inclusive_scan_by_key, 3)
ECHO_TO(exclusive_scan_by_key, 3)
ECHO_TO(merge, 4)
ECHO_TO(set_union, 4)
ECHO_TO(set_intersection, 4)
ECHO_TO(set_difference, 4)
ECHO_TO(set_symmetric_difference, 4)
ECHO_TO(gather_if, 4)
ECHO_INTO(scatter, 3)
ECHO_INTO(scatter_if, 4)
ECHO_TO(lower_bound, ECHO_ALL < 5 ? 0 : 4)
ECHO_TO(upper_bound, ECHO_ALL < 5 ? 0 : 4)
template <class A, class F, class T, class G, class = typename std::enable_if<!is_echo_policy<A>::value>::type>
ECHO_HD T transform_reduce(A first, A last, F function, T initial, G op) {
    echo_run<echo_values>(echo_place<echo_systems<A>::value>(), first, last, function, initial, op);
    return echo_value<T>();
}
template <class P, class A, class F, class T, class G>
ECHO_HD T transform_reduce(const P &policy, A first, A last, F function, T initial, G op) {
    echo_run<echo_values>(policy, first, last, function, initial, op);
    return echo_value<T>();
}
template <class A, class B, class T, class... Rest, class = typename std::enable_if<!is_echo_policy<A>::value>::type>
ECHO_HD T inner_product(A first, A last, B other, T initial, Rest... rest) {
    echo_run<echo_values>(echo_place<echo_systems<A, B>::value>(), first, last, other, initial, rest...);
    return echo_value<T>();
}
template <class P, class A, class B, class T, class... Rest,
          class = typename std::enable_if<is_echo_policy<P>::value>::type>
ECHO_HD T inner_product(const P &policy, A first, A last, B other, T initial, Rest... rest) {
    echo_run<echo_values>(policy, first, last, other, initial, rest...);
    return echo_value<T>();
}
template <class K, class V, class KO, class VO, class... T,
          class = typename std::enable_if<!is_echo_policy<K>::value>::type>
ECHO_HD pair<KO, VO> reduce_by_key(K first, K last, V values, KO keys_out, VO values_out, T... rest) {
    echo_split(echo_flag<echo_all_plain<K, V, KO, VO, T...>::value>(), echo_place<3>(),
               echo_place<echo_systems<K, V, KO, VO>::value>(), first, last, values, keys_out, values_out, rest...);
    return pair<KO, VO>(keys_out + echo_count(), values_out + echo_count());
}
template <class P, class K, class V, class KO, class VO, class... T,
          class = typename std::enable_if<is_echo_policy<P>::value>::type, class = void>
ECHO_HD pair<KO, VO> reduce_by_key(const P &policy, K first, K last, V values, KO keys_out, VO values_out, T... rest) {
    echo_split(echo_flag<echo_all_plain<K, V, KO, VO, T...>::value>(), echo_place<3>(), policy, first, last, values,
               keys_out, values_out, rest...);
    return pair<KO, VO>(keys_out + echo_count(), values_out + echo_count());
}
template <class K, class V, class... T, class = typename std::enable_if<!is_echo_policy<K>::value>::type>
ECHO_HD pair<K, V> unique_by_key(K first, K last, V values, T... rest) {
    echo_run<echo_works>(echo_place<echo_systems<K, V>::value>(), first, last, values, rest...);
    return pair<K, V>(first + echo_count(), values + echo_count());
}
template <class P, class K, class V, class... T, class = typename std::enable_if<is_echo_policy<P>::value>::type,
          class = void>
ECHO_HD pair<K, V> unique_by_key(const P &policy, K first, K last, V values, T... rest) {
    echo_run<echo_works>(policy, first, last, values, rest...);
    return pair<K, V>(first + echo_count(), values + echo_count());
}
template <class A, class... T> ECHO_HD pair<A, A> minmax_element(A first, A last, T... rest) {
    echo_run<echo_values>(echo_place<echo_systems<A>::value>(), first, last, rest...);
    return pair<A, A>(first + echo_count(), first + echo_count());
}
template <class A> ECHO_HD std::ptrdiff_t distance(A first, A last) { return last - first; }
template <class... T> ECHO_HD bool binary_search(T... arguments);
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
