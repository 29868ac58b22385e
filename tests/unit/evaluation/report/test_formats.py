from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess

import pytest
from lxml import html
from markdown_it import MarkdownIt

from aitia.evaluation.report import page
from aitia.evaluation.report.bench_folder import read_bench
from aitia.evaluation.report.latex import escape as latex
from aitia.evaluation.report.markdown import escape as markdown
from aitia.evaluation.report.measures import measure
from aitia.evaluation.report.render import render_report
from aitia.evaluation.report.spreadsheet import HEADER, write_spreadsheet
from aitia.evaluation.report.wording import plain


@pytest.fixture(scope="module")
def files(hostile_bench):
    """The report of systems with hostile names, without figures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aitia.evaluation.report.render.can_draw", lambda: False)
        return render_report(hostile_bench, 'T <b> & "q" *x*', baseline="hcg:S")


def test_markdown_shows_the_text_itself(files, hostile):
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    seen = html.fromstring(reader.render(files["report.md"]))
    assert seen.xpath("//h1")[0].text_content() == 'T <b> & "q" *x*'
    firsts = [cells[0].text_content() for row in seen.xpath("//tbody/tr") if (cells := row.xpath("td"))]
    assert firsts.count(plain(hostile)) == 7
    assert seen.xpath("//script | //a | //em | //code | //b") == []


@pytest.mark.parametrize(
    "text", ["https://a.b", "www.a.b", "x@y.org", "~~a~~", "1 < 2 & 3", "a\\|b", "![i](j)", "# x"]
)
def test_markdown_of_links_and_marks(text):
    reader = MarkdownIt("commonmark", {"html": True, "linkify": False})
    assert html.fromstring(reader.render(f"x {markdown(text)}")).text_content().strip() == f"x {text}"
    assert not re.search(r"(?<!\\)(://|@y)|www\.|s://", markdown(text))


def test_csv_has_a_row_a_system_metric_and_type(bench):
    rows = list(csv.DictReader(io.StringIO(write_spreadsheet(bench, measure(bench)))))
    assert tuple(rows[0]) == HEADER
    found = {(row["system"], row["judge"], row["metric"], row["type"]): row for row in rows}
    correct = found["hcg:S", "judge-a", "answer_correctness", "(all)"]
    assert (correct["mean"], correct["sd"], correct["runs"], correct["n"], correct["scores"]) == (
        *("0.65", "0.070711"),
        *("2", "3", "6"),
    )
    assert found["hcg:L", "", "nodes", "(all)"]["mean"] == "1500"
    assert found["hcg:L", "", "build_minutes", "(all)"]["mean"] == "5.0"
    assert found["peer:lightrag", "", "", ""]["remark"] == "not built: the adapter ended with exit status 1"
    assert found["hcg:L", "", "", ""]["failed"] == "1"
    assert ("plain:hybrid", "", "", "") not in found


def test_no_csv_cell_is_a_formula(hostile_bench, hostile):
    bench = read_bench(hostile_bench)
    rows = list(csv.reader(io.StringIO(write_spreadsheet(bench, measure(bench)))))
    cells = [cell for row in rows for cell in row]
    assert f"'{plain(hostile)}" in cells
    assert f"'@{plain(hostile)}" in cells
    assert [cell for cell in cells if re.match(r"[=+@\t\r]|-(?!\d)", cell)] == []


def test_latex_is_ascii_and_every_row_has_its_cells(files):
    text = files["report.tex"]
    assert text.isascii()
    assert text.count("\\begin{table") == text.count("\\caption{") == text.count("\\bottomrule") > 5
    for block in re.findall(r"\\begin\{table.*?\\end\{table", text, re.DOTALL):
        rows = re.findall(r"^.*(?<!\\)&.*\\\\$", block, re.MULTILINE)
        assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("50% of $x_1 & #2 {a}", "50\\% of \\$x\\_1 \\& \\#2 \\{a\\}"),
        ("\\~^", "\\textbackslash{}\\textasciitilde{}\\textasciicircum{}"),
        ("a--b,,c", "a-{}-b,{},c"),
        ("[x]*", "{[}x{]}{*}"),
        ("é ñ ï ß Ł", "\\'{e} \\~{n} \\\"{\\i} \\ss{} \\L{}"),
        (
            "−1 ± α → 日",
            "\\ensuremath{-}1 \\ensuremath{\\pm} \\ensuremath{\\alpha} \\ensuremath{\\to} (U+65E5)",
        ),
    ],
)
def test_latex_of_special_characters(text, written):
    assert latex(text) == written


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(files, tmp_path):
    (tmp_path / "report.tex").write_text(files["report.tex"], "utf-8")
    (tmp_path / "paper.tex").write_text(
        "\\documentclass[twocolumn]{article}\\usepackage{booktabs}\\begin{document}\\input{report}\\end{document}"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        **{"cwd": tmp_path, "capture_output": True, "timeout": 60, "check": False},
    )
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-800:]


def test_page_shows_the_text_itself_and_runs_our_script_alone(files, hostile):
    seen = html.fromstring(files["report.html"])
    assert [script.text for script in seen.xpath("//script")] == [page._resource("page.js")]
    assert seen.xpath("//title")[0].text == 'T <b> & "q" *x*'
    names = [cell.text_content() for cell in seen.xpath("//tbody//th")]
    assert names.count(plain(hostile)) == 7
    assert seen.xpath("//@style | //@onclick | //@onerror | //b | //em") == []
    assert [link for link in seen.xpath("//@href | //@src") if not link.startswith("#")] == []


def test_policy_names_the_hashes_of_what_is_there(files):
    text = files["report.html"]
    policy = html.fromstring(text).xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    for kind in ("style", "script"):
        content = re.search(rf"<{kind}>(.*?)</{kind}>", text, re.DOTALL)[1]
        assert f"{kind}-src '{page._hash(content)}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
