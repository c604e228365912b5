"""A trace file opens in h5py, pandas, xarray (both engines) and PyTables, with values and units.

Called with the program that writes the sample (write_sample.cpp); what the sample holds is said in
sample.hpp: 70,000 kernels, row i with start = 1000 i ps, kernel = i % 3, limiter = i % 4,
activity = i / 7, power = i / 2 W.
"""

import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import h5py
import numpy as np
import pandas as pd
import tables
import xarray as xr

ROWS = 70_000
WRITER = sys.argv.pop(1)
README = os.path.join(os.path.dirname(__file__), "../../../core/trace/README.md")
NAMES = ["gemm", "softmax", "größe"]
COLUMNS = ["kernel_run", "start", "kernel", "limiter", "activity", "power"]


class TraceFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.directory.name, "run.h5")
        subprocess.run([WRITER, cls.path], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def check_kernels(self, column):
        """column(name) gives the values of a column of /kernels."""
        row = np.arange(ROWS)
        np.testing.assert_array_equal(column("start"), 1000 * row)
        np.testing.assert_array_equal(column("kernel"), row % 3)
        np.testing.assert_array_equal(column("limiter"), row % 4)
        np.testing.assert_array_equal(column("activity"), row / 7)
        np.testing.assert_array_equal(column("power"), row / 2)

    def test_h5py_reads_values_types_and_attributes(self):
        with h5py.File(self.path) as file:
            kernels = file["kernels"]
            self.assertEqual(set(file), {"meta", "dict", "names", "kernels", "links",
                                         "summary", "bottlenecks"})
            self.assertEqual(list(kernels), COLUMNS)
            self.check_kernels(lambda name: kernels[name][:])
            types = [str(kernels[name].dtype) for name in COLUMNS]
            self.assertEqual(types, ["int64", "int64", "int32", "uint8", "float64", "float32"])
            for group in (kernels, file["links"]):
                for dataset in group.values():
                    self.assertIsInstance(dataset.attrs["units"], str)
                    self.assertNotEqual(dataset.attrs["long_name"], "")
            start = kernels["start"]
            self.assertEqual(start.attrs["units"], "ps")
            self.assertEqual(start.dims[0][0].name, "/kernels/kernel_run")
            self.assertEqual((start.chunks, start.shuffle, start.compression_opts),
                             ((65536,), True, 1))
            self.assertEqual(file.attrs["status"], "complete")
            self.assertEqual(file.attrs["schema_version"], 1)
            self.assertEqual(file.attrs["seed"], 2**64 - 1)
            self.assertEqual(file["meta/scenario_toml"][()].decode(), 'name = "µ-bench"\n')

    def test_h5py_explains_codes_and_flags(self):
        with h5py.File(self.path) as file:
            kernel = file["kernels/kernel"]
            names = file[kernel.attrs["dictionary"]].asstr()[:]
            self.assertEqual(list(names), NAMES)
            limiter = file["kernels/limiter"]
            self.assertEqual(limiter.attrs["flag_meanings"].split(),
                             ["issue", "execution", "memory", "launch"])
            self.assertEqual(list(limiter.attrs["flag_values"]), [0, 1, 2, 3])

    def test_pandas_reads_the_summary_in_one_line(self):
        summary = pd.read_hdf(self.path, "summary")
        self.assertEqual(list(summary.columns), ["name", "value", "units"])
        self.assertEqual(list(summary["name"]), ["kernels", "step"])
        self.assertEqual(list(summary["value"]), [70000.0, 2.5])
        self.assertEqual(list(summary["units"]), ["1", "us"])
        bottlenecks = pd.read_hdf(self.path, "bottlenecks")
        self.assertEqual(list(bottlenecks["stage"]), ["memory", "issue"])
        self.assertEqual(list(bottlenecks["kernels"]), [7, 3])
        self.assertEqual(list(bottlenecks["time"]), [1.5, 0.25])

    def test_pandas_takes_a_table_as_a_frame(self):
        with h5py.File(self.path) as file:
            frame = pd.DataFrame({name: data[:] for name, data in file["kernels"].items()})
        frame = frame.set_index("kernel_run")
        self.assertEqual(len(frame), ROWS)
        self.check_kernels(lambda name: frame[name].to_numpy())
        self.assertEqual(frame.groupby("kernel").size().tolist(), [23334, 23333, 23333])

    def test_pandas_reads_names_in_one_line(self):
        names = pd.read_hdf(self.path, "names/kernel")
        self.assertEqual(list(names["code"]), [0, 1, 2])
        self.assertEqual(list(names["name"]), NAMES)

    def test_pandas_takes_a_table_with_its_names_in_two_lines(self):
        with open(README) as readme:
            lines = [line.strip() for line in readme if line.startswith("    kernels")]
        self.assertEqual(len(lines), 2)
        place = {"h5py": h5py, "pd": pd, "p": self.path}
        # The sample's column of codes is called "kernel".
        exec("\n".join(lines).replace('kernels["name"]', 'kernels["kernel"]'), place)
        kernels = place["kernels"]
        self.assertEqual(list(kernels["kernel"][:4]), ["gemm", "softmax", "größe", "gemm"])
        self.assertEqual(kernels.groupby("kernel").size().to_dict(),
                         {"gemm": 23334, "softmax": 23333, "größe": 23333})

    def test_pandas_takes_an_enumeration_as_categories(self):
        with h5py.File(self.path) as file:
            limiter = file["kernels/limiter"]
            names = pd.Categorical.from_codes(limiter[:], limiter.attrs["flag_meanings"].split())
        self.assertEqual(list(names[:5]), ["issue", "execution", "memory", "launch", "issue"])

    def check_xarray(self, engine):
        with xr.open_dataset(self.path, group="kernels", engine=engine) as kernels:
            self.assertEqual(dict(kernels.sizes), {"kernel_run": ROWS})
            self.assertEqual(list(kernels.data_vars), COLUMNS[1:])
            self.check_kernels(lambda name: kernels[name].values)
            self.assertEqual(kernels["start"].attrs["units"], "ps")
            self.assertEqual(kernels["power"].attrs["long_name"], "mean power")
            self.assertEqual(kernels["limiter"].attrs["flag_meanings"],
                             "issue execution memory launch")
        with xr.open_dataset(self.path, group="dict/kernel", engine=engine) as names:
            self.assertEqual(list(names["name"].values), NAMES)
        with xr.open_dataset(self.path, group="links", engine=engine) as links:
            self.assertEqual(links["bytes"].values.tolist(), [4096, 8192])

    def test_xarray_reads_tables_with_h5netcdf(self):
        self.check_xarray("h5netcdf")

    def test_xarray_reads_tables_with_netcdf4(self):
        self.check_xarray("netcdf4")

    def test_pytables_reads_columns_and_the_summary(self):
        # PyTables warns that it has no use for the references of dimension scales.
        with warnings.catch_warnings(), tables.open_file(self.path) as file:
            warnings.simplefilter("ignore", tables.DataTypeWarning)
            self.check_kernels(lambda name: file.get_node("/kernels", name)[:])
            self.assertEqual(file.root.kernels.start.attrs.units, "ps")
            self.assertEqual(file.root.summary[0]["value"], 70000.0)
            self.assertEqual(file.root.summary[1]["name"], b"step")

    def test_pytables_reads_names(self):
        with tables.open_file(self.path) as file:
            names = [name.decode() for name in file.root.names.kernel.col("name")]
        self.assertEqual(names, NAMES)


if __name__ == "__main__":
    unittest.main()
