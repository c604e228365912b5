"""A recipe for Spack: copy it to packages/septet/package.py of a Spack repository."""

from spack.package import CMakePackage, depends_on, version


class Septet(CMakePackage):
    """Simulator of GPUs and clusters of them, from the CUDA call to the last memory access."""

    # The source tree from which `spack dev-build septet@main` is called.
    version("main")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("git", type="build")
    depends_on("boost@1.74: +program_options+graph")
    depends_on("fmt@9:")
    depends_on("hdf5@1.10: +hl ~mpi")
    depends_on("intel-oneapi-tbb@2021.8:")
    depends_on("nlohmann-json@3.11:")
    depends_on("protozero")
    depends_on("rapidjson")
    depends_on("sqlite")
    depends_on("tomlplusplus@3.3:")
    depends_on("zlib-api")

    def cmake_args(self):
        return [self.define("SEPTET_TESTS", False)]
