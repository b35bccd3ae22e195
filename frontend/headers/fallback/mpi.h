// MPI: the calls that programs make round their CUDA work.
#ifndef ECHO_MPI_H
#define ECHO_MPI_H
#include <stddef.h>
#define MPI_VERSION 3
typedef struct echo_mpi_comm *MPI_Comm;
typedef struct echo_mpi_datatype *MPI_Datatype;
typedef struct echo_mpi_op *MPI_Op;
typedef struct echo_mpi_request *MPI_Request;
typedef struct echo_mpi_group *MPI_Group;
typedef struct echo_mpi_info *MPI_Info;
typedef struct echo_mpi_win *MPI_Win;
typedef struct echo_mpi_file *MPI_File;
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef struct MPI_Status { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
#ifdef __cplusplus
extern "C" {
#endif
#define ECHO_MPI_DATATYPES(X)                                                                                         \
    X(MPI_CHAR) X(MPI_SIGNED_CHAR) X(MPI_UNSIGNED_CHAR) X(MPI_BYTE) X(MPI_SHORT) X(MPI_UNSIGNED_SHORT) X(MPI_INT)     \
    X(MPI_UNSIGNED) X(MPI_LONG) X(MPI_UNSIGNED_LONG) X(MPI_LONG_LONG) X(MPI_LONG_LONG_INT)                            \
    X(MPI_UNSIGNED_LONG_LONG) X(MPI_FLOAT) X(MPI_DOUBLE) X(MPI_INT8_T) X(MPI_INT32_T) X(MPI_INT64_T) X(MPI_UINT8_T)   \
    X(MPI_UINT16_T) X(MPI_UINT32_T) X(MPI_UINT64_T) X(MPI_C_BOOL) X(MPI_DOUBLE_INT) X(MPI_2INT) X(MPI_DOUBLE_COMPLEX) \
    X(MPI_DATATYPE_NULL)
#define ECHO_DATATYPE(name) extern MPI_Datatype name;
ECHO_MPI_DATATYPES(ECHO_DATATYPE)
extern MPI_Op MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_LOR, MPI_BAND, MPI_BOR, MPI_MAXLOC, MPI_MINLOC;
extern MPI_Comm MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL;
extern MPI_Request MPI_REQUEST_NULL;
extern MPI_Info MPI_INFO_NULL;
extern MPI_Group MPI_GROUP_NULL;
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_SUCCESS 0
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-2)
#define MPI_UNDEFINED (-32766)
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_MAX_ERROR_STRING 256
#define MPI_COMM_TYPE_SHARED 0
#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3
int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Finalized(int *flag);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *result);
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *result);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *result);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Cart_create(MPI_Comm comm, int n, const int dims[], const int periods[], int reorder, MPI_Comm *result);
int MPI_Cart_shift(MPI_Comm comm, int direction, int displacement, int *source, int *target);
int MPI_Cart_coords(MPI_Comm comm, int rank, int n, int coords[]);
int MPI_Dims_create(int nodes, int n, int dims[]);
int MPI_Get_processor_name(char *name, int *length);
int MPI_Error_string(int code, char *text, int *length);
double MPI_Wtime(void);
int MPI_Barrier(MPI_Comm comm);
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Sendrecv(const void *send, int send_count, MPI_Datatype send_type, int to, int send_tag, void *receive,
                 int receive_count, MPI_Datatype receive_type, int from, int receive_tag, MPI_Comm comm,
                 MPI_Status *status);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status *statuses);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Scan(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Gather(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
               MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Gatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive, const int counts[],
                const int offsets[], MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive, const int counts[],
                   const int offsets[], MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Scatter(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm);
int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Alltoallv(const void *send, const int send_counts[], const int send_offsets[], MPI_Datatype send_type,
                  void *receive, const int counts[], const int offsets[], MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *result);
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype *result);
int MPI_Type_commit(MPI_Datatype *type);
int MPI_Type_free(MPI_Datatype *type);
#ifdef __cplusplus
}
#endif
#endif
