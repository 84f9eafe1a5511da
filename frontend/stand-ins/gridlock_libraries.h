// Types of cuBLAS, cuFFT and cuSPARSE, which host code beside kernels declares things with, and their functions
// as far as they are often called: with any arguments, and refused by name. Their headers bring the types of half
// precision and complex numbers with them.
#pragma once
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#ifdef __CUDA__
// The versions of CUDA 12.0, which is the toolkit that the other headers are taken from.
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 1
#define CUBLAS_VERSION 120001
#define CUFFT_VER_MAJOR 11
#define CUFFT_VER_MINOR 0
#define CUFFT_VERSION 11000
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 0
#define CUSPARSE_VERSION 12000
typedef enum cudaDataType_t {
  CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_8I = 3, CUDA_C_32F = 4, CUDA_C_64F = 5, CUDA_C_16F = 6,
  CUDA_C_8I = 7, CUDA_R_8U = 8, CUDA_C_8U = 9, CUDA_R_32I = 10, CUDA_C_32I = 11, CUDA_R_32U = 12, CUDA_C_32U = 13,
  CUDA_R_16BF = 14, CUDA_C_16BF = 15, CUDA_R_4I = 16, CUDA_R_64I = 24, CUDA_R_8F_E4M3 = 28, CUDA_R_8F_E5M2 = 29
} cudaDataType;
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
typedef cudaDataType cublasDataType_t;

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR = 14, CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_CONJG = 3 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77, CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72
} cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef struct gridlock_blas *cublasHandle_t;
typedef struct gridlock_blas_lt *cublasLtHandle_t;
typedef struct gridlock_blas_layout *cublasLtMatrixLayout_t;
typedef struct gridlock_blas_product *cublasLtMatmulDesc_t;
typedef struct gridlock_blas_preference *cublasLtMatmulPreference_t;
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2, CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6, CUBLASLT_EPILOGUE_GELU = 32, CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_GELU_AUX = 160, CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164, CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_BGRADA = 256, CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLASLT_MATMUL_DESC_SCALE_TYPE, CUBLASLT_MATMUL_DESC_POINTER_MODE,
  CUBLASLT_MATMUL_DESC_TRANSA, CUBLASLT_MATMUL_DESC_TRANSB, CUBLASLT_MATMUL_DESC_TRANSC,
  CUBLASLT_MATMUL_DESC_FILL_MODE, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_MATMUL_DESC_BIAS_POINTER,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;
typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE, CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_MATRIX_LAYOUT_ROWS,
  CUBLASLT_MATRIX_LAYOUT_COLS, CUBLASLT_MATRIX_LAYOUT_LD, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
} cublasLtMatmulPreferenceAttributes_t;
struct cublasLtMatmulAlgo_t { unsigned long long data[8]; };
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};

typedef enum {
  CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_ALLOC_FAILED, CUFFT_INVALID_TYPE, CUFFT_INVALID_VALUE,
  CUFFT_INTERNAL_ERROR, CUFFT_EXEC_FAILED, CUFFT_SETUP_FAILED, CUFFT_INVALID_SIZE, CUFFT_UNALIGNED_DATA,
  CUFFT_INVALID_DEVICE = 11, CUFFT_NO_WORKSPACE = 13, CUFFT_NOT_IMPLEMENTED = 14, CUFFT_NOT_SUPPORTED = 16
} cufftResult;
typedef cufftResult cufftResult_t;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef enum {
  CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69
} cufftType;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef enum { CUSPARSE_STATUS_SUCCESS = 0, CUSPARSE_STATUS_NOT_INITIALIZED = 1 } cusparseStatus_t;
typedef struct gridlock_sparse *cusparseHandle_t;
typedef struct gridlock_sparse_matrix *cusparseMatDescr_t;
typedef struct gridlock_sparse_vector *cusparseDnVecDescr_t;
typedef struct gridlock_sparse_any *cusparseSpMatDescr_t;
typedef struct gridlock_sparse_dense *cusparseDnMatDescr_t;

extern "C" {
cublasStatus_t cublasCreate(...);
cublasStatus_t cublasCreate_v2(...);
cublasStatus_t cublasDestroy(...);
cublasStatus_t cublasDestroy_v2(...);
cublasStatus_t cublasSetStream(...);
cublasStatus_t cublasGetStream(...);
cublasStatus_t cublasSetMathMode(...);
cublasStatus_t cublasSetPointerMode(...);
cublasStatus_t cublasGetPointerMode(...);
cublasStatus_t cublasSetVector(...);
cublasStatus_t cublasGetVector(...);
cublasStatus_t cublasSetMatrix(...);
cublasStatus_t cublasGetMatrix(...);
cublasStatus_t cublasSetWorkspace(...);
cublasStatus_t cublasGetVersion(...);
cublasStatus_t cublasGemmEx(...);
cublasStatus_t cublasGemmStridedBatchedEx(...);
cublasStatus_t cublasGemmBatchedEx(...);
cublasStatus_t cublasDotEx(...);
cublasStatus_t cublasNrm2Ex(...);
cublasStatus_t cublasAxpyEx(...);
cublasStatus_t cublasScalEx(...);
cublasStatus_t cublasSgemm(...);
cublasStatus_t cublasDgemm(...);
cublasStatus_t cublasCgemm(...);
cublasStatus_t cublasZgemm(...);
cublasStatus_t cublasHgemm(...);
cublasStatus_t cublasSgemmEx(...);
cublasStatus_t cublasSgemmStridedBatched(...);
cublasStatus_t cublasDgemmStridedBatched(...);
cublasStatus_t cublasHgemmStridedBatched(...);
cublasStatus_t cublasSgemmBatched(...);
cublasStatus_t cublasDgemmBatched(...);
cublasStatus_t cublasHgemmBatched(...);
cublasStatus_t cublasSgemv(...);
cublasStatus_t cublasDgemv(...);
cublasStatus_t cublasSger(...);
cublasStatus_t cublasDger(...);
cublasStatus_t cublasSsyrk(...);
cublasStatus_t cublasDsyrk(...);
cublasStatus_t cublasStrsm(...);
cublasStatus_t cublasDtrsm(...);
cublasStatus_t cublasSgeam(...);
cublasStatus_t cublasDgeam(...);
cublasStatus_t cublasSdot(...);
cublasStatus_t cublasDdot(...);
cublasStatus_t cublasSaxpy(...);
cublasStatus_t cublasDaxpy(...);
cublasStatus_t cublasSscal(...);
cublasStatus_t cublasDscal(...);
cublasStatus_t cublasScopy(...);
cublasStatus_t cublasDcopy(...);
cublasStatus_t cublasSnrm2(...);
cublasStatus_t cublasDnrm2(...);
cublasStatus_t cublasSasum(...);
cublasStatus_t cublasDasum(...);
cublasStatus_t cublasIsamax(...);
cublasStatus_t cublasIdamax(...);
cublasStatus_t cublasIsamin(...);
cublasStatus_t cublasIdamin(...);
cublasStatus_t cublasSswap(...);
cublasStatus_t cublasDswap(...);
cublasStatus_t cublasSgetrfBatched(...);
cublasStatus_t cublasDgetrfBatched(...);
cublasStatus_t cublasSgetriBatched(...);
cublasStatus_t cublasDgetriBatched(...);
cublasStatus_t cublasSgetrsBatched(...);
cublasStatus_t cublasDgetrsBatched(...);
cublasStatus_t cublasLtCreate(...);
cublasStatus_t cublasLtDestroy(...);
cublasStatus_t cublasLtMatmul(...);
cublasStatus_t cublasLtMatmulDescCreate(...);
cublasStatus_t cublasLtMatmulDescDestroy(...);
cublasStatus_t cublasLtMatmulDescSetAttribute(...);
cublasStatus_t cublasLtMatrixLayoutCreate(...);
cublasStatus_t cublasLtMatrixLayoutDestroy(...);
cublasStatus_t cublasLtMatrixLayoutSetAttribute(...);
cublasStatus_t cublasLtMatmulPreferenceCreate(...);
cublasStatus_t cublasLtMatmulPreferenceDestroy(...);
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(...);
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(...);
const char *cublasGetStatusString(cublasStatus_t);
const char *cublasGetStatusName(cublasStatus_t);
cufftResult cufftPlan1d(...);
cufftResult cufftPlan2d(...);
cufftResult cufftPlan3d(...);
cufftResult cufftPlanMany(...);
cufftResult cufftCreate(...);
cufftResult cufftDestroy(...);
cufftResult cufftMakePlan1d(...);
cufftResult cufftMakePlan2d(...);
cufftResult cufftMakePlan3d(...);
cufftResult cufftMakePlanMany(...);
cufftResult cufftSetStream(...);
cufftResult cufftExecC2C(...);
cufftResult cufftExecR2C(...);
cufftResult cufftExecC2R(...);
cufftResult cufftExecZ2Z(...);
cufftResult cufftExecD2Z(...);
cufftResult cufftExecZ2D(...);
cufftResult cufftSetWorkArea(...);
cufftResult cufftGetSize(...);
cusparseStatus_t cusparseCreate(...);
cusparseStatus_t cusparseDestroy(...);
cusparseStatus_t cusparseSetStream(...);
cusparseStatus_t cusparseCreateMatDescr(...);
cusparseStatus_t cusparseDestroyMatDescr(...);
cusparseStatus_t cusparseSetMatType(...);
cusparseStatus_t cusparseSetMatIndexBase(...);
cusparseStatus_t cusparseCreateCsr(...);
cusparseStatus_t cusparseCreateDnVec(...);
cusparseStatus_t cusparseCreateDnMat(...);
cusparseStatus_t cusparseDestroySpMat(...);
cusparseStatus_t cusparseDestroyDnVec(...);
cusparseStatus_t cusparseDestroyDnMat(...);
cusparseStatus_t cusparseSpMV(...);
cusparseStatus_t cusparseSpMV_bufferSize(...);
cusparseStatus_t cusparseSpMM(...);
cusparseStatus_t cusparseSpMM_bufferSize(...);
}
#endif
