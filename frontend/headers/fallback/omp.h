// OpenMP runtime. The pragmas themselves are not interpreted: a loop under one is an ordinary loop.
#ifndef ECHO_OMP_H
#define ECHO_OMP_H
typedef struct { void *lock; } omp_lock_t;
typedef struct { void *lock; } omp_nest_lock_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic = 2, omp_sched_guided = 3, omp_sched_auto = 4 } omp_sched_t;
#ifdef __cplusplus
extern "C" {
#endif
double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
int omp_get_dynamic(void);
int omp_get_nested(void);
int omp_get_level(void);
int omp_get_num_devices(void);
int omp_get_default_device(void);
int omp_get_initial_device(void);
int omp_is_initial_device(void);
void omp_set_default_device(int device);
void omp_set_num_threads(int count);
void omp_set_dynamic(int dynamic);
void omp_set_nested(int nested);
void omp_set_schedule(omp_sched_t kind, int chunk);
void omp_init_lock(omp_lock_t *lock);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
int omp_test_lock(omp_lock_t *lock);
#ifdef __cplusplus
}
#endif
#endif
