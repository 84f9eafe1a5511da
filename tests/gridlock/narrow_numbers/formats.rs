//! The formats, and what is done to their numbers.

/// A format: what its types and functions are called.
pub struct Format {
    words: &'static [(&'static str, &'static str)],
    groups: &'static [(Over, &'static [&'static str])],
    /// What the vendor has for devices only.
    on_devices: &'static [&'static str],
}

/// The inputs that an operation is tried for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// All numbers of 16 bits, as `x`.
    Every,
    /// Random ones, as `x`, `y`, `z`, and wider numbers.
    Random,
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub expression: &'static str,
    pub over: Over,
}

impl Operation {
    /// Declares what the expression names.
    pub fn arguments(&self, format: &Format) -> String {
        let declared = [
            ("x", "NUMBER x = of(NUMBER(), a[i]);"),
            ("y", "NUMBER y = of(NUMBER(), b[i]);"),
            ("z", "NUMBER z = of(NUMBER(), c[i]);"),
            (
                "p",
                "PAIR p = PAIR(of(NUMBER(), a[i]), of(NUMBER(), b[i]));",
            ),
            (
                "q",
                "PAIR q = PAIR(of(NUMBER(), c[i]), of(NUMBER(), a[i]));",
            ),
            (
                "r",
                "PAIR r = PAIR(of(NUMBER(), b[i]), of(NUMBER(), c[i]));",
            ),
            ("f", "float f = float_of(w[i]);"),
            ("d", "double d = double_of(w[i]);"),
            ("n", "int n = (int)w[i];"),
            ("u", "unsigned int u = (unsigned int)w[i];"),
            ("s", "short s = (short)w[i];"),
            ("t", "unsigned short t = (unsigned short)w[i];"),
            ("l", "long long l = (long long)w[i];"),
            ("m", "unsigned long long m = w[i];"),
            ("h", "__half h = of(__half(), a[i]);"),
            ("g", "__nv_bfloat16 g = of(__nv_bfloat16(), a[i]);"),
        ];
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let names: Vec<&str> = self.expression.split(|c| !is_name(c)).collect();
        let used = declared.iter().filter(|(name, _)| names.contains(name));
        let texts: Vec<String> = used.map(|(_, text)| format.text(text)).collect();
        texts.join(" ")
    }
}

impl Format {
    pub fn text(&self, text: &str) -> String {
        let replaced = |text: String, (word, with): &(&str, &str)| text.replace(word, with);
        self.words.iter().fold(text.to_owned(), replaced)
    }

    pub fn operations(&self) -> Vec<Operation> {
        let all = self.groups.iter().flat_map(|(over, expressions)| {
            let of = |&expression| Operation {
                expression,
                over: *over,
            };
            expressions.iter().map(of)
        });
        all.collect()
    }

    /// What stands before the operations where the front end reads them.
    pub fn device_head(&self) -> String {
        format!("{DEVICE}{}{BITS}", self.headers())
    }

    /// The same where they are compiled.
    pub fn host_head(&self) -> String {
        format!(
            "{HOST}{}{BITS}{}",
            self.headers(),
            self.text(&self.on_devices.concat())
        )
    }

    fn headers(&self) -> &'static str {
        "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\ntypedef unsigned long long word;\n"
    }
}

const DEVICE: &str = "#define BOTH static __host__ __device__\n\
BOTH float float_of(unsigned long long n) { return __uint_as_float((unsigned int)n); }\n\
BOTH double double_of(unsigned long long n) { return __longlong_as_double((long long)n); }\n\
BOTH unsigned int bits_of(float x) { return __float_as_uint(x); }\n\
BOTH unsigned long long bits_of(double x) { return (unsigned long long)__double_as_longlong(x); }\n";

const HOST: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>
#define BOTH static
static float float_of(unsigned long long n) { unsigned int low = n; float x; memcpy(&x, &low, 4); return x; }
static double double_of(unsigned long long n) { double x; memcpy(&x, &n, 8); return x; }
static unsigned int bits_of(float x) { unsigned int n; memcpy(&n, &x, 4); return n; }
static unsigned long long bits_of(double x) { unsigned long long n; memcpy(&n, &x, 8); return n; }
#include <cuda_fp8.h>
static struct { unsigned x; } threadIdx, blockIdx, blockDim;
#undef __global__
#define __global__ static
"#;

/// What a result is compared by. Of a `float` that is no number, only that.
const BITS: &str = r#"
BOTH __half of(__half, unsigned short n) { return __ushort_as_half(n); }
BOTH __nv_bfloat16 of(__nv_bfloat16, unsigned short n) { return __ushort_as_bfloat16(n); }
BOTH __nv_fp8_e4m3 of(__nv_fp8_e4m3, unsigned short n) { __nv_fp8_e4m3 x; x.__x = (unsigned char)n; return x; }
BOTH __nv_fp8_e5m2 of(__nv_fp8_e5m2, unsigned short n) { __nv_fp8_e5m2 x; x.__x = (unsigned char)n; return x; }
BOTH __nv_fp8_e8m0 of(__nv_fp8_e8m0, unsigned short n) { __nv_fp8_e8m0 x; x.__x = (unsigned char)n; return x; }
BOTH word bits(__half x) { return __half_as_ushort(x); }
BOTH word bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
BOTH word bits(__half_raw x) { return x.x; }
BOTH word bits(__half2_raw x) { return x.x | (word)x.y << 16; }
BOTH word bits(__nv_bfloat16_raw x) { return x.x; }
BOTH word bits(__half2 x) { return bits(__low2half(x)) | bits(__high2half(x)) << 16; }
BOTH word bits(__nv_bfloat162 x) { return bits(__low2bfloat16(x)) | bits(__high2bfloat16(x)) << 16; }
BOTH word bits(__nv_fp8_e4m3 x) { return x.__x; }
BOTH word bits(__nv_fp8_e5m2 x) { return x.__x; }
BOTH word bits(__nv_fp8x2_e4m3 x) { return x.__x; }
BOTH word bits(__nv_fp8x2_e5m2 x) { return x.__x; }
BOTH word bits(__nv_fp8x4_e4m3 x) { return x.__x; }
BOTH word bits(__nv_fp8x4_e5m2 x) { return x.__x; }
BOTH word bits(__nv_fp8_e8m0 x) { return x.__x; }
BOTH word bits(__nv_fp8x2_e8m0 x) { return x.__x; }
BOTH word bits(__nv_fp8x4_e8m0 x) { return x.__x; }
BOTH word bits(__nv_bfloat162_raw x) { return x.x | (word)x.y << 16; }
BOTH word bits(float x) { return x != x ? 0xffffffffu : bits_of(x); }
BOTH word bits(double x) { return x != x ? 0xffffffffffffffffu : bits_of(x); }
BOTH word bits(float2 x) { return bits(x.x) | bits(x.y) << 32; }
BOTH word bits(float4 x) { return bits(x.x) + 3 * bits(x.y) + 5 * bits(x.z) + 7 * bits(x.w); }
BOTH word bits(bool x) { return x; }
BOTH word bits(char x) { return (word)x; }
BOTH word bits(signed char x) { return (word)x; }
BOTH word bits(unsigned char x) { return (word)x; }
BOTH word bits(short x) { return (word)x; }
BOTH word bits(unsigned short x) { return (word)x; }
BOTH word bits(int x) { return (word)x; }
BOTH word bits(unsigned int x) { return (word)x; }
BOTH word bits(long x) { return (word)x; }
BOTH word bits(unsigned long x) { return (word)x; }
BOTH word bits(long long x) { return (word)x; }
BOTH word bits(word x) { return x; }
"#;

/// What every format is converted to.
const TO_NUMBERS: &[&str] = &[
    "(bool)x",
    "(char)x",
    "(signed char)x",
    "(unsigned char)x",
    "(short)x",
    "(unsigned short)x",
    "(int)x",
    "(unsigned int)x",
    "(long)x",
    "(unsigned long)x",
    "(long long)x",
    "(unsigned long long)x",
];

const OF_ONE: &[&str] = &[
    "__KIND2float(x)",
    "(float)x",
    "(double)(float)x",
    "+x",
    "-x",
    "(x++, x)",
    "x--",
    "++x",
    "--x",
    "__hneg(x)",
    "__habs(x)",
    "__hisnan(x)",
    "__hisinf(x)",
    "(__half)x",
    "(__nv_bfloat16)x",
    "(NUMBER_raw)x",
    "NUMBER(NUMBER_raw(x))",
    "__KIND_as_short(x)",
    "__KIND2KIND2(x)",
    "__KIND2char_rz(x)",
    "__KIND2uchar_rz(x)",
    "__KIND2short_rn(x)",
    "__KIND2short_rz(x)",
    "__KIND2short_rd(x)",
    "__KIND2short_ru(x)",
    "__KIND2ushort_rn(x)",
    "__KIND2ushort_rz(x)",
    "__KIND2ushort_rd(x)",
    "__KIND2ushort_ru(x)",
    "__KIND2int_rn(x)",
    "__KIND2int_rz(x)",
    "__KIND2int_rd(x)",
    "__KIND2int_ru(x)",
    "__KIND2uint_rn(x)",
    "__KIND2uint_rz(x)",
    "__KIND2uint_rd(x)",
    "__KIND2uint_ru(x)",
    "__KIND2ll_rn(x)",
    "__KIND2ll_rz(x)",
    "__KIND2ll_rd(x)",
    "__KIND2ll_ru(x)",
    "__KIND2ull_rn(x)",
    "__KIND2ull_rz(x)",
    "__KIND2ull_rd(x)",
    "__KIND2ull_ru(x)",
    "htrunc(x)",
    "hceil(x)",
    "hfloor(x)",
    "hrint(x)",
    "hsqrt(x)",
    "hrcp(x)",
];

const OF_SEVERAL: &[&str] = &[
    "x + y",
    "x - y",
    "x * y",
    "x / y",
    "(x += y, x)",
    "(x -= y, x)",
    "(x *= y, x)",
    "(x /= y, x)",
    "x == y",
    "x != y",
    "x < y",
    "x > y",
    "x <= y",
    "x >= y",
    "__hadd(x, y)",
    "__hsub(x, y)",
    "__hmul(x, y)",
    "__hdiv(x, y)",
    "__hadd_rn(x, y)",
    "__hsub_rn(x, y)",
    "__hmul_rn(x, y)",
    "__hadd_sat(x, y)",
    "__hsub_sat(x, y)",
    "__hmul_sat(x, y)",
    "__hmax(x, y)",
    "__hmin(x, y)",
    "__hmax_nan(x, y)",
    "__hmin_nan(x, y)",
    "__heq(x, y)",
    "__hne(x, y)",
    "__hlt(x, y)",
    "__hgt(x, y)",
    "__hle(x, y)",
    "__hge(x, y)",
    "__hequ(x, y)",
    "__hneu(x, y)",
    "__hltu(x, y)",
    "__hgtu(x, y)",
    "__hleu(x, y)",
    "__hgeu(x, y)",
    "__hfma(x, y, z)",
    "__hfma_sat(x, y, z)",
    "__hfma_relu(x, y, z)",
];

const OF_PAIRS: &[&str] = &[
    "p + q",
    "p - q",
    "p * q",
    "p / q",
    "(p += q, p)",
    "(p -= q, p)",
    "(p *= q, p)",
    "(p /= q, p)",
    "-p",
    "+p",
    "++p",
    "p--",
    "p == q",
    "p != q",
    "p < q",
    "p > q",
    "p <= q",
    "p >= q",
    "__hadd2(p, q)",
    "__hsub2(p, q)",
    "__hmul2(p, q)",
    "__h2div(p, q)",
    "__hadd2_rn(p, q)",
    "__hsub2_rn(p, q)",
    "__hmul2_rn(p, q)",
    "__hadd2_sat(p, q)",
    "__hsub2_sat(p, q)",
    "__hmul2_sat(p, q)",
    "__hneg2(p)",
    "__habs2(p)",
    "__hisnan2(p)",
    "__hmax2(p, q)",
    "__hmin2(p, q)",
    "__hmax2_nan(p, q)",
    "__hmin2_nan(p, q)",
    "__heq2(p, q)",
    "__hne2(p, q)",
    "__hlt2(p, q)",
    "__hgt2(p, q)",
    "__hle2(p, q)",
    "__hge2(p, q)",
    "__hequ2(p, q)",
    "__hneu2(p, q)",
    "__hltu2(p, q)",
    "__hgtu2(p, q)",
    "__hleu2(p, q)",
    "__hgeu2(p, q)",
    "__heq2_mask(p, q)",
    "__hne2_mask(p, q)",
    "__hlt2_mask(p, q)",
    "__hgt2_mask(p, q)",
    "__hle2_mask(p, q)",
    "__hge2_mask(p, q)",
    "__hequ2_mask(p, q)",
    "__hneu2_mask(p, q)",
    "__hltu2_mask(p, q)",
    "__hgtu2_mask(p, q)",
    "__hleu2_mask(p, q)",
    "__hgeu2_mask(p, q)",
    "__hbeq2(p, q)",
    "__hbne2(p, q)",
    "__hblt2(p, q)",
    "__hbgt2(p, q)",
    "__hble2(p, q)",
    "__hbge2(p, q)",
    "__hbequ2(p, q)",
    "__hbneu2(p, q)",
    "__hbltu2(p, q)",
    "__hbgtu2(p, q)",
    "__hbleu2(p, q)",
    "__hbgeu2(p, q)",
    "__low2KIND2(p)",
    "__high2KIND2(p)",
    "__lowhigh2highlow(p)",
    "__lows2KIND2(p, q)",
    "__highs2KIND2(p, q)",
    "__low2float(p)",
    "__high2float(p)",
    "__KIND22float2(p)",
    "__halves2KIND2(x, y)",
    "make_KIND2(x, y)",
    "PAIR(PAIR_raw(p))",
    "__hfma2(p, q, r)",
    "__hfma2_sat(p, q, r)",
    "__hfma2_relu(p, q, r)",
    "__hcmadd(p, q, r)",
];

const OF_WIDER: &[&str] = &[
    "__float2KIND(f)",
    "__float2KIND_rn(f)",
    "__float2KIND_rz(f)",
    "__float2KIND_rd(f)",
    "__float2KIND_ru(f)",
    "__float2KIND2_rn(f)",
    "__floats2KIND2_rn(f, -f)",
    "__float22KIND2_rn(make_float2(f, -f))",
    "__double2KIND(d)",
    "NUMBER(f)",
    "NUMBER(d)",
    "NUMBER(n)",
    "NUMBER(u)",
    "NUMBER(s)",
    "NUMBER(t)",
    "NUMBER(l)",
    "NUMBER(m)",
    "NUMBER((long)l)",
    "NUMBER((unsigned long)m)",
    "__int2KIND_rn(n)",
    "__int2KIND_rz(n)",
    "__int2KIND_rd(n)",
    "__int2KIND_ru(n)",
    "__uint2KIND_rn(u)",
    "__uint2KIND_rz(u)",
    "__uint2KIND_rd(u)",
    "__uint2KIND_ru(u)",
    "__short2KIND_rn(s)",
    "__short2KIND_rz(s)",
    "__short2KIND_rd(s)",
    "__short2KIND_ru(s)",
    "__ushort2KIND_rn(t)",
    "__ushort2KIND_rz(t)",
    "__ushort2KIND_rd(t)",
    "__ushort2KIND_ru(t)",
    "__ll2KIND_rn(l)",
    "__ll2KIND_rz(l)",
    "__ll2KIND_rd(l)",
    "__ll2KIND_ru(l)",
    "__ull2KIND_rn(m)",
    "__ull2KIND_rz(m)",
    "__ull2KIND_rd(m)",
    "__ull2KIND_ru(m)",
];

const OF_ONE_BYTE: &[&str] = &[
    "(float)x",
    "(double)x",
    "(__half)x",
    "(__nv_bfloat16)x",
    "__nv_cvt_fp8_to_halfraw(x.__x, FORMAT)",
    "NUMBER(h)",
    "NUMBER(g)",
    "__nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, FORMAT)",
    "__nv_cvt_bfloat16raw_to_fp8(g, __NV_NOSAT, FORMAT)",
];

const TO_BYTES: &[&str] = &[
    "NUMBER(f)",
    "NUMBER(d)",
    "NUMBER(n)",
    "NUMBER(u)",
    "NUMBER(s)",
    "NUMBER(t)",
    "NUMBER(l)",
    "NUMBER(m)",
    "NUMBER((long)l)",
    "NUMBER((unsigned long)m)",
    "__nv_cvt_float_to_fp8(f, __NV_SATFINITE, FORMAT)",
    "__nv_cvt_float_to_fp8(f, __NV_NOSAT, FORMAT)",
    "__nv_cvt_double_to_fp8(d, __NV_SATFINITE, FORMAT)",
    "__nv_cvt_double_to_fp8(d, __NV_NOSAT, FORMAT)",
    "__nv_cvt_float2_to_fp8x2(make_float2(f, -f), __NV_NOSAT, FORMAT)",
    "__nv_cvt_double2_to_fp8x2(make_double2(d, (double)n), __NV_NOSAT, FORMAT)",
    "__nv_cvt_halfraw2_to_fp8x2(__half2_raw(__halves2half2(h, -h)), __NV_NOSAT, FORMAT)",
    "__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw(__halves2bfloat162(g, -g)), __NV_NOSAT, FORMAT)",
    "__nv_cvt_fp8x2_to_halfraw2(t, FORMAT)",
    "PAIR(make_float2(f, -f))",
    "PAIR(make_double2(d, (double)n))",
    "PAIR(__halves2half2(h, -h))",
    "PAIR(__halves2bfloat162(g, -g))",
    "(float2)PAIR(make_float2(f, -f))",
    "(__half2)PAIR(make_float2(f, -f))",
    "FOUR(make_float4(f, -f, (float)d, 1.0f))",
    "FOUR(__halves2half2(h, -h), __float2half2_rn(f))",
    "FOUR(__halves2bfloat162(g, -g), __float2bfloat162_rn(f))",
    "(float4)FOUR(make_float4(f, -f, (float)d, 1.0f))",
];

const OF_ONE_SCALE: &[&str] = &[
    "(float)x",
    "(double)x",
    "(__half)x",
    "(__nv_bfloat16)x",
    "__nv_cvt_e8m0_to_bf16raw(x.__x)",
    "NUMBER(h)",
    "NUMBER(g)",
    "__nv_cvt_bfloat16raw_to_e8m0(g, __NV_NOSAT, cudaRoundZero)",
    "__nv_cvt_bfloat16raw_to_e8m0(g, __NV_SATFINITE, cudaRoundZero)",
    "__nv_cvt_bfloat16raw_to_e8m0(g, __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_bfloat16raw_to_e8m0(g, __NV_SATFINITE, cudaRoundPosInf)",
];

const TO_SCALES: &[&str] = &[
    "NUMBER(f)",
    "NUMBER(d)",
    "NUMBER(n)",
    "NUMBER(u)",
    "NUMBER(s)",
    "NUMBER(t)",
    "NUMBER(l)",
    "NUMBER(m)",
    "NUMBER((long)l)",
    "NUMBER((unsigned long)m)",
    "NUMBER((long long)(m >> m % 64))",
    "NUMBER(m & ~0ull << m % 64)",
    "__nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundZero)",
    "__nv_cvt_float_to_e8m0(f, __NV_NOSAT, cudaRoundZero)",
    "__nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf)",
    "__nv_cvt_float_to_e8m0(f, __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_float_to_e8m0(float_of(m & 0x807fffff), __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_float_to_e8m0(float_of(m & 0x80400001), __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_float_to_e8m0(float_of(m | 0x7f000000), __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_float_to_e8m0(float_of(m & 0x80000001 | 0x7f800000), __NV_NOSAT, cudaRoundZero)",
    "__nv_cvt_double_to_e8m0(d, __NV_SATFINITE, cudaRoundZero)",
    "__nv_cvt_double_to_e8m0(d, __NV_NOSAT, cudaRoundZero)",
    "__nv_cvt_double_to_e8m0(d, __NV_SATFINITE, cudaRoundPosInf)",
    "__nv_cvt_double_to_e8m0(d, __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_double_to_e8m0(float_of(m & 0x80ffffff) * (1 + 1e-15), __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_double_to_e8m0(double_of(m), __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_float2_to_e8m0x2(make_float2(f, -f), __NV_NOSAT, cudaRoundZero)",
    "__nv_cvt_double2_to_e8m0x2(make_double2(d, (double)n), __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw(__halves2bfloat162(g, -g)), __NV_NOSAT, cudaRoundPosInf)",
    "__nv_cvt_e8m0x2_to_bf162raw(t)",
    "PAIR(make_float2(f, -f))",
    "PAIR(make_double2(d, (double)n))",
    "PAIR(__halves2half2(h, -h))",
    "PAIR(__halves2bfloat162(g, -g))",
    "(float2)PAIR(make_float2(f, -f))",
    "(__half2)PAIR(make_float2(f, -f))",
    "(__nv_bfloat162)PAIR(make_float2(f, -f))",
    "FOUR(make_float4(f, -f, (float)d, 1.0f))",
    "FOUR(make_double4(f, -f, d, 1.0))",
    "FOUR(__halves2half2(h, -h), __float2half2_rn(f))",
    "FOUR(__halves2bfloat162(g, -g), __float2bfloat162_rn(f))",
    "(float4)FOUR(make_float4(f, -f, (float)d, 1.0f))",
];

const OPERATIONS: &[(Over, &[&str])] = &[
    (Over::Every, TO_NUMBERS),
    (Over::Every, OF_ONE),
    (Over::Random, OF_SEVERAL),
    (Over::Random, OF_PAIRS),
    (Over::Random, OF_WIDER),
];

pub const HALF: Format = Format {
    words: &[
        ("NUMBER_INFINITE", "0x7c00"),
        ("NUMBER", "__half"),
        ("PAIR", "__half2"),
        ("KIND", "half"),
    ],
    groups: OPERATIONS,
    on_devices: &[ON_DEVICES, TO_INTEGERS],
};

pub const BFLOAT: Format = Format {
    words: &[
        ("NUMBER_INFINITE", "0x7f80"),
        ("NUMBER", "__nv_bfloat16"),
        ("PAIR", "__nv_bfloat162"),
        ("KIND", "bfloat16"),
    ],
    groups: OPERATIONS,
    on_devices: &[EXTREMA, ON_DEVICES, TO_INTEGERS, FROM_INTEGERS],
};

pub const E4M3: Format = Format {
    words: &[
        ("NUMBER", "__nv_fp8_e4m3"),
        ("PAIR", "__nv_fp8x2_e4m3"),
        ("FOUR", "__nv_fp8x4_e4m3"),
        ("FORMAT", "__NV_E4M3"),
    ],
    groups: OF_BYTES,
    on_devices: &[],
};

pub const E5M2: Format = Format {
    words: &[
        ("NUMBER", "__nv_fp8_e5m2"),
        ("PAIR", "__nv_fp8x2_e5m2"),
        ("FOUR", "__nv_fp8x4_e5m2"),
        ("FORMAT", "__NV_E5M2"),
    ],
    groups: OF_BYTES,
    on_devices: &[],
};

/// Powers of two, as factors.
pub const E8M0: Format = Format {
    words: &[
        ("NUMBER", "__nv_fp8_e8m0"),
        ("PAIR", "__nv_fp8x2_e8m0"),
        ("FOUR", "__nv_fp8x4_e8m0"),
    ],
    groups: &[
        (Over::Every, TO_NUMBERS),
        (Over::Every, OF_ONE_SCALE),
        (Over::Random, TO_SCALES),
    ],
    on_devices: &[],
};

const OF_BYTES: &[(Over, &[&str])] = &[
    (Over::Every, TO_NUMBERS),
    (Over::Every, OF_ONE_BYTE),
    (Over::Random, TO_BYTES),
];

/// The integral functions, the root and the reciprocal, from `double`; the fused operations, from the sum in 113 bits and
/// what that leaves.
const ON_DEVICES: &str = r#"
static __float128 of_magnitude(int n) {
  return n < NUMBER_INFINITE ? (__float128)(float)__ushort_as_KIND(n)
                             : 2 * (__float128)(float)__ushort_as_KIND(n - 1) - (float)__ushort_as_KIND(n - 2);
}
static NUMBER nearest(__float128 sum, __float128 more) {
  if (sum != sum) return __ushort_as_KIND(0x7fff);
  int sign = __builtin_signbit((double)sum) ? 0x8000 : 0;
  if (sign) { sum = -sum; more = -more; }
  int below = 0, above = NUMBER_INFINITE;
  if (sum - of_magnitude(above) >= -more) return __ushort_as_KIND(sign | above);
  while (above - below > 1) {
    int middle = (below + above) / 2;
    (sum - of_magnitude(middle) >= -more ? below : above) = middle;
  }
  __float128 beyond = (sum - of_magnitude(below)) - (of_magnitude(above) - sum);
  bool up = beyond > 0 || beyond == 0 && (more > 0 || more == 0 && below % 2 == 1);
  return __ushort_as_KIND(sign | (up ? above : below));
}
static NUMBER __hfma(NUMBER a, NUMBER b, NUMBER c) {
  __float128 product = (__float128)(float)a * (float)b, added = (float)c, sum = product + added;
  __float128 part = sum - product, more = (product - (sum - part)) + (added - part);
  return nearest(sum, more == more ? more : 0);
}
static NUMBER __hfma_sat(NUMBER a, NUMBER b, NUMBER c) { return __hmin(__hmax(__hfma(a, b, c), NUMBER(0.0f)), NUMBER(1.0f)); }
static NUMBER __hfma_relu(NUMBER a, NUMBER b, NUMBER c) { return __hmax_nan(__hfma(a, b, c), NUMBER(0.0f)); }
static PAIR __hfma2(PAIR a, PAIR b, PAIR c) { return PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
static PAIR __hfma2_sat(PAIR a, PAIR b, PAIR c) { return PAIR(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)); }
static PAIR __hfma2_relu(PAIR a, PAIR b, PAIR c) { return PAIR(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); }
static PAIR __hcmadd(PAIR a, PAIR b, PAIR c) {
  return PAIR(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
static NUMBER htrunc(NUMBER a) { return __double2KIND(trunc((float)a)); }
static NUMBER hceil(NUMBER a) { return __double2KIND(ceil((float)a)); }
static NUMBER hfloor(NUMBER a) { return __double2KIND(floor((float)a)); }
static NUMBER hrint(NUMBER a) { return __double2KIND(rint((float)a)); }
static NUMBER hsqrt(NUMBER a) { return __double2KIND(sqrt((double)(float)a)); }
static NUMBER hrcp(NUMBER a) { return __double2KIND(1 / (double)(float)a); }
"#;

/// Conversions to integers; where no number is converted, what the vendor's function towards zero gives.
const TO_INTEGERS: &str = r#"
#define CONVERSION(name, type, rounding) \
  static type __KIND2##name(NUMBER a) { \
    double x = rounding((double)(float)a); \
    type least = (type)((type)-1 < 0 ? (type)1 << (8 * sizeof(type) - 1) : 0), most = (type)~least; \
    return x != x ? (sizeof(type) < 8 ? 0 : (type)1 << 63) : x >= (double)most ? most : x <= (double)least ? least : (type)x; \
  }
#define CONVERSIONS(name, type) \
  CONVERSION(name##_rn, type, rint) CONVERSION(name##_rd, type, floor) CONVERSION(name##_ru, type, ceil)
CONVERSIONS(short, short)
CONVERSIONS(ushort, unsigned short)
CONVERSIONS(int, int)
CONVERSIONS(uint, unsigned int)
CONVERSIONS(ll, long long)
CONVERSIONS(ull, unsigned long long)
"#;

/// The numbers beside an integer, where the vendor converts on devices only.
const FROM_INTEGERS: &str = r#"
static NUMBER beside(__float128 x, bool upwards, bool to_zero) {
  if (to_zero) upwards = x < 0;
  int sign = x < 0 ? 0x8000 : 0, below = 0, above = NUMBER_INFINITE;
  if (x < 0) { x = -x; upwards = !upwards; }
  while (above - below > 1) {
    int middle = (below + above) / 2;
    (of_magnitude(middle) <= x ? below : above) = middle;
  }
  return __ushort_as_KIND(sign | (upwards && of_magnitude(below) != x ? above : below));
}
#define BESIDE(name, type) \
  static NUMBER __##name##2KIND_rz(type x) { return beside(x, false, true); } \
  static NUMBER __##name##2KIND_rd(type x) { return beside(x, false, false); } \
  static NUMBER __##name##2KIND_ru(type x) { return beside(x, true, false); }
BESIDE(short, short)
BESIDE(ushort, unsigned short)
BESIDE(int, int)
BESIDE(uint, unsigned int)
BESIDE(ll, long long)
BESIDE(ull, unsigned long long)
"#;

/// Where the vendor's function for hosts does not say that the zero without a sign is the larger one, as the instruction
/// does (PTX ISA, `max`).
const EXTREMA: &str = r#"
static NUMBER larger(NUMBER a, NUMBER b) { return __hisnan(a) || __hisnan(b) ? __ushort_as_KIND(0x7fff) : __hmax(a, b); }
static NUMBER smaller(NUMBER a, NUMBER b) { return __hisnan(a) || __hisnan(b) ? __ushort_as_KIND(0x7fff) : __hmin(a, b); }
#define __hmax_nan larger
#define __hmin_nan smaller
#define __hmax2_nan(p, q) PAIR(larger((p).x, (q).x), larger((p).y, (q).y))
#define __hmin2_nan(p, q) PAIR(smaller((p).x, (q).x), smaller((p).y, (q).y))
"#;
