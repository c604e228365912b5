"""Reports in headless Chromium: no errors, everything draws, tables sort, the timeline zooms."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
SEPTET = ""
RECORDING = ROOT / "data/measurements/h200/traces/gpt2-batch1-seq1-graph.json.gz"
SERVING = ROOT / "scenarios/shipped/serving/replicas-8.toml"
# Runs in the page once it is loaded and leaves what it saw in an element.
PROBE = """<script>
addEventListener("load", () => {
  const seen = {errors: window.errors};
  const charts = [...document.querySelectorAll("svg.chart")];
  seen.charts = charts.length;
  seen.empty = charts.filter(chart =>
      !chart.querySelector("path, rect, circle") ||
      chart.getBoundingClientRect().height < 40).length;
  seen.wider = document.documentElement.scrollWidth > innerWidth;
  const table = [...document.querySelectorAll("table")].find(one =>
      one.tBodies[0].rows.length > 2 && one.querySelector("td.number"));
  const column = [...table.tBodies[0].rows[0].cells].findIndex(cell => cell.dataset.key);
  const keys = () => [...table.tBodies[0].rows].map(row => Number(row.cells[column].dataset.key));
  const head = table.tHead.rows[0].cells[column].firstChild;
  head.click();
  seen.up = keys();
  head.click();
  seen.down = keys();
  const figure = document.querySelector(".timeline");
  if (figure) {
    const canvas = figure.querySelector("canvas");
    const picture = () => canvas.toDataURL();
    const status = () => figure.querySelector("[role=status]").textContent;
    const whole = picture();
    seen.statuses = [status()];
    canvas.dispatchEvent(new WheelEvent("wheel",
        {deltaY: -500, ctrlKey: true, clientX: 400, cancelable: true}));
    seen.zoomed = picture() !== whole;
    seen.statuses.push(status());
    canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
    seen.statuses.push(status());
    figure.querySelector("[data-do=all]").click();
    seen.back = picture() === whole;
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    seen.colours = new Set();
    for (let i = 0; i < pixels.length; i += 4) {
      seen.colours.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
    }
    seen.colours = seen.colours.size;
  }
  const light = getComputedStyle(document.body).backgroundColor;
  document.getElementById("theme").click();
  seen.themes = [light, getComputedStyle(document.body).backgroundColor];
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
</script>"""
WATCH = """<script>
window.errors = [];
addEventListener("error", event => window.errors.push(event.message));
addEventListener("securitypolicyviolation", event => window.errors.push(event.blockedURI));
</script>"""


def chromium(folder, file, width, *options):
    return subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         f"--user-data-dir={folder}/profile", f"--window-size={width},1000",
         "--enable-logging=stderr", "--virtual-time-budget=5000", *options, f"file://{file}"],
        capture_output=True, text=True, timeout=180, check=True)


@unittest.skipUnless(shutil.which("chromium"), "Debian's chromium is not installed")
class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        run = [SEPTET, "replay", str(RECORDING), "--what-if", "host-speed=2", "--quiet"]
        cls.make(run, "replay")
        cls.make([SEPTET, "run", str(SERVING), "--quiet"], "serving")
        cls.report = cls.folder / "report.html"
        subprocess.run([SEPTET, "report", str(cls.folder / "replay"), str(cls.folder / "serving"),
                        "-o", str(cls.report)], check=True, stdout=subprocess.PIPE, timeout=60)

    @classmethod
    def make(cls, command, name):
        subprocess.run([*command, "--output-dir", str(cls.folder / name)], check=True,
                       stdout=subprocess.PIPE, timeout=120)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def seen(self, width):
        text = self.report.read_text(encoding="utf-8")
        probed = self.folder / "probed.html"
        probed.write_text(text.replace("<head>", "<head>" + WATCH, 1)
                          .replace("</body>", PROBE + "</body>", 1), encoding="utf-8")
        done = chromium(self.folder, probed, width, "--dump-dom")
        self.assertNotIn("CONSOLE", done.stderr)
        found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout)
        self.assertIsNotNone(found, done.stderr[-2000:])
        return json.loads(found.group(1).replace("&gt;", ">").replace("&amp;", "&"))

    def test_everything_draws_without_errors(self):
        seen = self.seen(1200)
        self.assertEqual(seen["errors"], [])
        self.assertGreater(seen["charts"], 6)
        self.assertEqual(seen["empty"], 0)
        self.assertGreater(seen["colours"], 8)  # text is smoothed, and kernels have colours
        self.assertFalse(seen["wider"])

    def test_tables_sort_both_ways(self):
        seen = self.seen(1200)
        self.assertEqual(seen["up"], sorted(seen["up"]))
        self.assertEqual(seen["down"], sorted(seen["down"], reverse=True))
        self.assertGreater(len(set(seen["up"])), 1)

    def test_the_timeline_zooms_moves_and_comes_back(self):
        seen = self.seen(1200)
        self.assertTrue(seen["zoomed"])
        self.assertTrue(seen["back"])
        self.assertEqual(len(set(seen["statuses"])), 3, seen["statuses"])

    def test_the_page_goes_dark(self):
        light, dark = self.seen(1200)["themes"]
        self.assertNotEqual(light, dark)

    def test_a_narrow_window_is_not_wider_than_itself(self):
        seen = self.seen(500)
        self.assertEqual(seen["errors"], [])
        self.assertFalse(seen["wider"])
        self.assertEqual(seen["empty"], 0)

    def test_it_prints(self):
        paper = self.folder / "report.pdf"
        chromium(self.folder, self.report, 1200, f"--print-to-pdf={paper}")
        self.assertTrue(paper.read_bytes().startswith(b"%PDF"))
        self.assertGreater(paper.stat().st_size, 20_000)


if __name__ == "__main__":
    SEPTET = sys.argv.pop(1)
    unittest.main()
