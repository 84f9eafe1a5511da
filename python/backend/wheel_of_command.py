"""Makes the wheel: the command, the module that starts it, and libz3. With nothing but what Python brings, and no network.

It is the build backend that pyproject.toml names (PEP 517), so that `pip wheel` and `pip install` of this folder go
this way too. Settings (`--config-settings NAME=VALUE`):

    command    the command that goes into the wheel; without it, `cargo build --release` builds one
    libz3      the library it was linked with; without it, the one that scripts/bootstrap.sh has installed
"""

import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tempfile
import zipfile

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11
    from pip._vendor import tomli as tomllib

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent


def project():
    """The table `project` of pyproject.toml, with the version of the command."""
    table = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    version = cargo["package"]["version"]
    if not isinstance(version, str):
        version = cargo["workspace"]["package"]["version"]
    return {**table, "version": version}


def metadata(table):
    """METADATA, as the core metadata specification has it."""
    lines = [
        "Metadata-Version: 2.1",
        "Name: " + table["name"],
        "Version: " + table["version"],
        "Summary: " + table["description"],
        "License: " + table["license"]["text"],
        "Requires-Python: " + table["requires-python"],
        *("Classifier: " + one for one in table["classifiers"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (HERE / table["readme"]).read_text(encoding="utf-8")


def platform():
    """The tag of this machine's platform: `linux_x86_64`."""
    return re.sub(r"[^A-Za-z0-9]", "_", sysconfig.get_platform())


def built():
    """The command of a release build, which cargo makes where it is not there yet."""
    cargo = shutil.which("cargo") or str(pathlib.Path.home() / ".cargo" / "bin" / "cargo")
    subprocess.run([cargo, "build", "--release", "--bin", "gridlock"], cwd=ROOT, check=True)
    asked = [cargo, "metadata", "--no-deps", "--format-version", "1"]
    said = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    folder = re.search(r'"target_directory":"((?:[^"\\]|\\.)*)"', said)
    return pathlib.Path(folder.group(1), "release", "gridlock")


def stripped(command, folder):
    """A copy of the command without symbols, where the machine can make one."""
    copy = pathlib.Path(folder, "gridlock")
    shutil.copy(command, copy)
    if shutil.which("strip"):
        subprocess.run(["strip", str(copy)], check=True)
    return copy


class Wheel:
    """A zip file with the record of what is in it."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.record = []

    def add(self, name, content, mode=0o644):
        # One date for all: the same contents give the same wheel.
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")

    def close(self, info):
        self.record.append(info + "/RECORD,,")
        entry = zipfile.ZipInfo(info + "/RECORD", (2020, 1, 1, 0, 0, 0))
        entry.external_attr = 0o100644 << 16
        self.archive.writestr(entry, "\n".join(self.record) + "\n")
        self.archive.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    table = project()
    name, version = table["name"], table["version"]
    tag = "py3-none-" + platform()
    command = pathlib.Path(settings.get("command") or built())
    said = subprocess.run([str(command), "--version"], check=True, capture_output=True, text=True).stdout
    if said.split()[-1] != version:
        raise SystemExit(f"{command} is {said.strip()}, the wheel would be {version}")
    libz3 = pathlib.Path(settings.get("libz3") or ROOT / ".toolchain" / "z3" / "lib" / "libz3.so").resolve()
    file = f"{name}-{version}-{tag}.whl"
    info, data = f"{name}-{version}.dist-info", f"{name}-{version}.data"
    wheel = Wheel(pathlib.Path(wheel_directory, file))
    for path in sorted((HERE / "src").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            wheel.add(path.relative_to(HERE / "src").as_posix(), path.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        wheel.add(data + "/scripts/gridlock", stripped(command, folder).read_bytes(), 0o755)
    # The command looks for libz3 in ../lib/gridlock, seen from its own folder (build.rs), under the name that it was
    # linked with, which is that of the file behind the links.
    wheel.add(f"{data}/data/lib/gridlock/{libz3.name}", libz3.read_bytes(), 0o755)
    for licence in ("LICENSE-APACHE", "LICENSE-MIT"):
        wheel.add(f"{info}/licenses/{licence}", (ROOT / licence).read_bytes())
    wheel.add(info + "/METADATA", metadata(table).encode())
    about = f"Wheel-Version: 1.0\nGenerator: gridlock\nRoot-Is-Purelib: false\nTag: {tag}\n"
    wheel.add(info + "/WHEEL", about.encode())
    wheel.close(info)
    return file


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("there is no source distribution: the command is built from the whole repository")
