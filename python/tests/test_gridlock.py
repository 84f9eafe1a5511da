"""The package against the command that the environment variable GRIDLOCK names; or, as it was installed from a wheel,
against the command that came with it, where GRIDLOCK_INSTALLED names the environment (`scripts/wheel.sh --test`)."""

import base64
import hashlib
import importlib.metadata
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

import gridlock

RACE = "__global__ void race(int *a) { a[threadIdx.x / N] = threadIdx.x; }\n"
FINE = "__global__ void fine(int *a) { a[threadIdx.x] = 1; }\n"


class RawKernel:
    """As CuPy's: what it is given, nothing compiled."""

    made = 0

    def __init__(self, code, name, options=(), backend="nvrtc", translate_cucomplex=False):
        RawKernel.made += 1
        self.code, self.name, self.options = code, name, options


def load_inline(name, cpp_sources, cuda_sources=None, functions=None, extra_cuda_cflags=None, extra_include_paths=None):
    """As torch.utils.cpp_extension's."""
    return types.SimpleNamespace(name=name)


class Checks(unittest.TestCase):
    def test_a_text_with_a_defect(self):
        report = gridlock.check(RACE, block=64, define=["N=2"], properties=["races"])
        self.assertEqual((report.verdict, report.refuted, report.reached), ("refuted", True, False))
        self.assertEqual(report.exit_status, 1)
        self.assertEqual(report.kernels, ["race"])
        [defect] = report.defects
        self.assertEqual((defect.kind, defect.kernel, defect.array), ("data-race", "race", "a"))
        self.assertEqual([str(site) for site in defect.sites], ["<source>.cu:1:32"] * 2)
        self.assertEqual([site.mode for site in defect.sites], ["write", "write"])
        self.assertEqual(len({site.thread for site in defect.sites}), 2)
        self.assertIn("Verdict: refuted", str(report))
        self.assertIn("a[threadIdx.x / N]", report.text, "the line of source")
        with self.assertRaises(gridlock.Refuted) as raised:
            report.raise_if_refuted()
        self.assertIn(report.text, str(raised.exception))
        self.assertIs(raised.exception.report, report)

    def test_a_file_that_is_right(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.cu")
            path.write_text(FINE)
            report = gridlock.check(path, grid=1, block=(64, 1), require="tested")
            self.assertTrue(report.reached)
            self.assertIs(report.raise_if_refuted(), report)
            self.assertEqual(report.json["subjects"][0]["launch"]["block"], [64, 1, 1])
            self.assertEqual(gridlock.check(str(path), grid=1, block=4).json["subjects"][0]["file"], str(path))
            here = os.getcwd()
            os.chdir(folder)
            try:
                # Names that read as options, or as a compiler.
                for name in ("-k.cu", "@k.cu"):
                    pathlib.Path(name).write_text(FINE)
                    self.assertEqual(gridlock.check(pathlib.Path(name), grid=1, block=4).kernels, ["fine"])
            finally:
                os.chdir(here)

    def test_what_cannot_be_read_says_where(self):
        with self.assertRaises(gridlock.GridlockError) as raised:
            gridlock.check("__global__ void k(int *a) { a[0] = ; }", filename="mine.cu")
        error = raised.exception
        self.assertEqual((error.kind, error.file, error.line, error.column), ("syntax", "mine.cu", 1, 36))
        self.assertTrue(str(error).startswith("mine.cu:1:36: expected expression"), str(error))
        with self.assertRaises(gridlock.GridlockError) as raised:
            gridlock.check(FINE, options=["--no-such-option"])
        self.assertIn("--no-such-option", str(raised.exception))

    def test_opencl_and_arguments(self):
        source = "__kernel void k(__global int *a, int n) { if (get_global_id(0) < n) a[get_global_id(0)] = 1; }"
        report = gridlock.check(source, language="opencl", grid=2, block=4, args={"n": 7}, extents={"a": "n"})
        self.assertEqual((report.profile, report.verdict), ("opencl", "proved"))
        self.assertIn("bounds", [one.name for one in report.properties])

    def test_programs_are_compared(self):
        twice = "__global__ void f(int *a) { a[threadIdx.x] *= 2; }"
        shifted = "__global__ void g(int *a) { a[threadIdx.x] += a[threadIdx.x]; }"
        same = gridlock.equiv(twice, shifted, a_kernel="f", b_kernel="g", block=8, require="schedules")
        self.assertTrue(same.reached, same.text)
        other = gridlock.equiv(twice, twice.replace("2", "3"), block=8)
        self.assertEqual([defect.kind for defect in other.defects], ["not-equivalent"])
        self.assertNotIn(tempfile.gettempdir(), other.text)
        kernel = gridlock.Kernel(twice, "f")
        self.assertTrue(kernel.equiv(gridlock.Kernel(shifted, "g"), block=8, require="schedules").reached)
        self.assertEqual(kernel.check(grid=1, block=8).kernels, ["f"])

    def test_a_notebook_shows_it_and_nothing_is_markup(self):
        source = RACE.replace("{", "{ /* <script>alert(1)</script> */")
        report = gridlock.check(source, block=2, define=["N=2"], filename="<b>&.cu", properties=["races"])
        html = report._repr_html_()
        self.assertIn("data-race", html)
        self.assertIn("&lt;b&gt;&amp;.cu:1:", html)
        for word in ("<script", "<b>&", "http:", "https:", "src="):
            self.assertNotIn(word, html)


class Decorated(unittest.TestCase):
    def test_a_constructor(self):
        checked = gridlock.checked(RawKernel, block=64, grid=1, properties=["races"])
        before = RawKernel.made
        kernel = checked(RACE, "race", ("-DN=1", "--std=c++17", "-lineinfo"))
        self.assertIsInstance(kernel, RawKernel)
        with self.assertRaises(gridlock.Refuted) as raised:
            checked(RACE, "race", options=("-D", "N=2"))
        self.assertIn("data-race", str(raised.exception))
        self.assertIn("race.cu:1:32", str(raised.exception))
        self.assertEqual(RawKernel.made, before + 1, "what is refuted is not compiled")

    def test_an_inline_extension(self):
        checked = gridlock.checked(load_inline, block=64, grid=1, properties=["races"])
        host = '#include <torch/extension.h>\nvoid launch(torch::Tensor a) { race<<<1, 64>>>(a.data_ptr<int>()); }\n'
        for n, refuted in (("1", False), ("2", True)):
            with self.subTest(n=n):
                arguments = {"name": "mine", "cpp_sources": "", "cuda_sources": [RACE + host]}
                try:
                    checked(**arguments, extra_cuda_cflags=["-DN=" + n, "-O3"])
                    self.assertFalse(refuted)
                except gridlock.Refuted as error:
                    self.assertTrue(refuted, str(error))
                    self.assertIn("mine.cu:1:32", str(error))

    def test_a_function_that_makes_a_kernel(self):
        @gridlock.checked(grid=1, block=64, properties=["races"], define=["N=2"])
        def wrong():
            return RawKernel(RACE, "race")

        @gridlock.checked(grid=1, block=64, properties=["races"], strict=True)
        def right():
            """Says what it is."""
            return FINE

        self.assertEqual(right(), FINE)
        self.assertEqual((right.__name__, right.__doc__), ("right", "Says what it is."))
        with self.assertRaises(gridlock.Refuted):
            wrong()
        with self.assertRaises(TypeError):
            gridlock.checked(lambda: 3)()

    def test_strict_wants_what_is_required(self):
        make = gridlock.checked(lambda: FINE, strict=True, require="sizes", grid=1, block=4)
        with self.assertRaises(gridlock.Refuted):
            make()


class Command(unittest.TestCase):
    def test_it_is_found_and_never_in_the_working_directory(self):
        self.assertRegex(gridlock.version(), r"^\d+\.\d+\.\d+$")
        known = gridlock.command()
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("GRIDLOCK", None)
            os.environ["PATH"] = "." + os.pathsep + os.path.dirname(known)
            self.assertTrue(os.path.isabs(gridlock.command()))
            os.environ["GRIDLOCK"] = "./gridlock"
            with self.assertRaises(gridlock.GridlockError):
                gridlock.command()

    def test_the_module_is_the_command(self):
        ran = subprocess.run([sys.executable, "-m", "gridlock", "profiles"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("cuda-hw", ran.stdout)


@unittest.skipUnless("GRIDLOCK_INSTALLED" in os.environ, "not installed from a wheel")
class Installed(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(os.environ["GRIDLOCK_INSTALLED"])

    def test_the_package_and_the_command_are_those_of_the_wheel(self):
        self.assertIn(self.folder, pathlib.Path(gridlock.__file__).resolve().parents)
        self.assertEqual(pathlib.Path(gridlock.command()), self.folder / "bin" / "gridlock")
        self.assertEqual(importlib.metadata.version("gridlock"), gridlock.version())
        about = importlib.metadata.metadata("gridlock")
        self.assertIn("# Gridlock from Python", about.get_payload())

    def test_every_file_is_as_the_record_says(self):
        files = importlib.metadata.files("gridlock")
        names = {str(file) for file in files}
        self.assertIn("gridlock/py.typed", names)
        for file in files:
            with self.subTest(file=str(file)):
                content = pathlib.Path(file.locate()).read_bytes()
                if file.hash:
                    digest = base64.urlsafe_b64encode(hashlib.new(file.hash.mode, content).digest())
                    self.assertEqual(digest.rstrip(b"=").decode(), file.hash.value)

    def test_libz3_is_the_one_that_was_installed(self):
        # The dynamic linker says what it loads.
        loaded = dict(os.environ, LD_TRACE_LOADED_OBJECTS="1")
        ran = subprocess.run([gridlock.command()], capture_output=True, text=True, env=loaded)
        [library] = [line.split()[2] for line in ran.stdout.splitlines() if "libz3" in line]
        self.assertEqual(pathlib.Path(library).resolve().parent, self.folder / "lib" / "gridlock", ran.stdout)


if __name__ == "__main__":
    unittest.main()
