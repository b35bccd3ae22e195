#!/usr/bin/env python3
"""Builds the benchmarks, runs them unchanged, merged by echo-dr and merged by hand, and prints tables.

Usage: measure.py OUT STEP...   with STEP one of build, variants, s1, auto:NAME, table:NAME, triples:NAME, build_fixed, fix
ECHO_DR names the echo-dr binary, FIXED the folder that fix-sources.sh wrote (default OUT/fixed), SECONDS_AT_MOST the time
after which no further step or process is begun. Every figure printed comes from runs of this call.
"""
import json
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = Path(sys.argv[1])
ECHO = os.environ.get("ECHO_DR", "echo-dr")
LIBRARIES = {"fft": ["-lcufft"], "sgemm": ["-lcublas"], "conv": ["-lcudnn"], "fcn": ["-lcudnn"], "detect": [], "inplace": []}
HAND = {"managed": 1, "mapped": 2, "registered": 3}
ROUNDS = os.environ.get("ROUNDS", "100")
FIXED = Path(os.environ.get("FIXED", OUT / "fixed"))
PLAIN = ["sgemm", "fft", "conv", "fcn", "detect"]
END = time.time() + float(os.environ.get("SECONDS_AT_MOST", "100000"))


def say(*words):
    print(*words, flush=True)


def run(command, limit=120):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=limit)
    return done.returncode, done.stdout, done.stderr


def record(command):
    code, out, err = run(command)
    lines = [line for line in out.splitlines() if line.startswith("{")]
    if code or not lines:
        raise SystemExit(f"{command}: status {code}: {err[-500:]}")
    return json.loads(lines[-1]), err


def program(name):
    return [sys.executable, HERE / "torch_conv.py", "40"] if name == "torch" else [OUT / name, "0", ROUNDS]


def cudnn():
    """Folders of cuDNN inside the Python packages, if the toolkit has none."""
    for base in map(Path, sys.path):
        found = base / "nvidia" / "cudnn"
        if (found / "include" / "cudnn.h").exists():
            return found
    return None


def cudnn_flags():
    where = cudnn()
    if not where:
        return []
    library = sorted((where / "lib").glob("libcudnn.so.*"))[0]
    link = OUT / "libcudnn.so"
    link.unlink(missing_ok=True)
    link.symlink_to(library)
    return [f"-I{where / 'include'}", f"-L{OUT}", f"-Xlinker=-rpath={where / 'lib'}"]


def compile_all(jobs):
    """Compiles jobs of (output, source, further arguments) at once."""
    flags, running = cudnn_flags(), []
    for output, source, extra in jobs:
        command = ["nvcc", "-O3", "-std=c++17", "-arch=native", *flags, source, "-o", OUT / output, *extra]
        running.append((output, subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)))
    for output, process in running:
        text, _ = process.communicate()
        say("build", output, "ok" if process.returncode == 0 else text[-800:])


def build():
    jobs = [(name, HERE / f"{name}.cu", libraries) for name, libraries in LIBRARIES.items()]
    for name in ["detect", "fft"]:
        jobs.append((f"{name}-shared", HERE / f"{name}.cu", [*LIBRARIES[name], "-cudart", "shared"]))
        jobs.append((f"{name}-thread", HERE / f"{name}.cu", [*LIBRARIES[name], "-default-stream", "per-thread"]))
    compile_all(jobs)


def fixed_kinds():
    return sorted(folder.name for folder in FIXED.iterdir() if folder.is_dir())


def build_fixed():
    folders = [("plain", HERE / "plain"), *((f"fixed-{kind}", FIXED / kind) for kind in fixed_kinds())]
    compile_all([(f"{label}-{name}", folder / f"{name}.cu", LIBRARIES[name]) for label, folder in folders for name in PLAIN])


def fix(processes=5, *names):
    """The plain programs as they are and as echo-fix writes them, interleaved."""
    names = names or PLAIN
    labels = ["plain", *(f"fixed-{kind}" for kind in fixed_kinds())]
    rows = {name: {label: [] for label in labels} for name in names}
    for _ in range(int(processes)):
        for name in names:
            for label in labels:
                if time.time() < END:
                    rows[name][label].append(record([OUT / f"{label}-{name}", ROUNDS])[0])
    for name in names:
        complete = min(len(results) for results in rows[name].values())
        say(f"== echo-fix {name}: {complete} processes of {ROUNDS} rounds")
        if complete:
            lines({label: results[:complete] for label, results in rows[name].items()}, "plain", None)


def auto(name, *extra):
    extra = [*extra, *os.environ.get("AUTO", "").split()]
    start = time.time()
    plan = OUT / f"{name}.plan.json"
    code, _, err = run([ECHO, "auto", "-o", plan, *extra, "--", *program(name)], 500)
    say(f"== auto {name}: status {code}, {time.time() - start:.0f} s")
    say(err.strip())


def merged(name):
    report = OUT / "report.json"
    result, _ = record([ECHO, "run", "--plan", OUT / f"{name}.plan.json", "--report", "json", "--report-to", report, "--", *program(name)])
    return result, json.loads(report.read_text())


def hand(name, kind):
    return record([OUT / name, HAND[kind], ROUNDS])[0]


def kinds_of(name):
    return [] if name == "torch" else os.environ.get("KINDS", "managed,mapped,registered").split(",")


def table(name, processes=5):
    processes = int(processes)
    kinds = kinds_of(name)
    rows = {"unchanged": [], "echo-dr": []}
    rows.update({f"hand {kind}": [] for kind in kinds})
    report = None
    for done in range(processes):
        if done and time.time() > END:
            break
        rows["unchanged"].append(record(program(name))[0])
        result, report = merged(name)
        rows["echo-dr"].append(result)
        for kind in kinds:
            rows[f"hand {kind}"].append(hand(name, kind))
    show(name, rows, report)


def deviation(values):
    return statistics.stdev(values) if len(values) > 1 else math.nan


def lines(rows, first, best):
    """A line per row, compared with the row called `first`; `best` is the primary time in ms that 1 would recover."""
    base = statistics.mean(r["primary_ms"] for r in rows[first])
    loop0 = statistics.mean(r["loop_ms"] for r in rows[first])
    digests = {r["digest"] for r in rows[first]}
    say("| | primary ms | sd | p99 | loop ms | sd | p99 | x primary | x loop | recovered | mJ/round | digests |")
    for label, results in rows.items():
        p = [r["primary_ms"] for r in results]
        l = [r["loop_ms"] for r in results]
        recovered = f"{(base - statistics.mean(p)) / (base - best):.3f}" if best and best < base else "-"
        energy = [r.get("energy_mj", -1) for r in results]
        energy = f"{statistics.mean(energy):.1f}" if min(energy) > 0 else "not measured"
        same = "equal" if {r["digest"] for r in results} == digests and len(digests) == 1 else "DIFFER"
        say(f"| {label} | {statistics.mean(p):.3f} | {deviation(p):.3f} | {max(r['primary_p99'] for r in results):.3f} | {statistics.mean(l):.3f} | {deviation(l):.3f} | {max(r['loop_p99'] for r in results):.3f} | {base / statistics.mean(p):.2f} | {loop0 / statistics.mean(l):.2f} | {recovered} | {energy} | {same} |")


def show(name, rows, report):
    plan = json.loads((OUT / f"{name}.plan.json").read_text())
    kinds = [label[5:] for label in rows if label.startswith("hand ")]
    processes = len(rows["unchanged"])
    best = min((statistics.mean(r["primary_ms"] for r in rows[f"hand {k}"]) for k in kinds), default=None)
    say(f"== table {name}: plan {'enabled, ' + str(plan['backend']) if plan['enabled'] else 'disabled'}; {processes} processes of {ROUNDS} rounds")
    lines(rows, "unchanged", best)
    outcome = report["outcome"]
    say(f"skipped {outcome['skipped_copies']} copies, {outcome['skipped_bytes']} bytes; waits {outcome['waits']}, left out {outcome['waits_left_out']}; peak live pairs {outcome['peak_bytes']} bytes; fallbacks {outcome['fallbacks']}; copy fraction {statistics.mean(r.get('copy_fraction', 0) for r in rows['unchanged']):.2f}")


def triples(name, count=20):
    plan = json.loads((OUT / f"{name}.plan.json").read_text())
    if not plan["enabled"]:
        say(f"== triples {name}: plan disabled")
        return
    fractions, speedups, loops = [], [], []
    rows = {"unchanged": [], "echo-dr": [], f"hand {plan['backend']}": []}
    for _ in range(count):
        base = record(program(name))[0]
        echo, report = merged(name)
        best = hand(name, plan["backend"])
        for row, result in zip(rows.values(), [base, echo, best]):
            row.append(result)
        fractions.append((base["primary_ms"] - echo["primary_ms"]) / (base["primary_ms"] - best["primary_ms"]))
        speedups.append(base["primary_ms"] / echo["primary_ms"])
        loops.append(base["loop_ms"] / echo["loop_ms"])
    show(name, rows, report)
    fractions.sort()
    # Distribution-free 95 % interval of the median by order statistics.
    k = max(0, int(math.floor(count / 2 - 1.96 * math.sqrt(count) / 2)))
    say(f"== triples {name} ({plan['backend']}, {count} interleaved): recovered median {statistics.median(fractions):.4f}, 95 % interval [{fractions[k]:.4f}, {fractions[count - 1 - k]:.4f}]; median speedup {statistics.median(speedups):.2f} of the primary region, {statistics.median(loops):.2f} of the loop")


def variants():
    for name in ["detect-shared", "detect-thread", "fft-shared", "fft-thread"]:
        auto(name, "--no-calibration", "--backend", "mapped")
        base = record(program(name))[0]
        result, report = merged(name)
        say(f"variant {name}: {base['loop_ms']:.3f} -> {result['loop_ms']:.3f} ms, skipped {report['outcome']['skipped_copies']}, digests {'equal' if base['digest'] == result['digest'] else 'DIFFER'}")


def s1():
    code, before, _ = run([OUT / "inplace"])
    trace, plan = OUT / "inplace.trace", OUT / "inplace.plan.json"
    run([ECHO, "profile", "-o", trace, "--", OUT / "inplace"])
    for extra in [[], ["--no-s1-check"], ["--no-s1-check", "--no-digest"]]:
        _, _, err = run([ECHO, "analyze", trace, "-o", plan, "--no-calibration", "--backend", "mapped", *extra, "--", OUT / "inplace"])
        _, after, _ = run([ECHO, "run", "--plan", plan, "--", OUT / "inplace"])
        say(f"== in-place program, analyze {' '.join(extra) or '(defaults)'}: output {'unchanged' if before == after else 'CHANGED'}")
        say(err.strip())


def fast(name):
    """Plan without calibration, for programs that are slow to start."""
    auto(name, "--no-calibration", "--backend", "mapped")


def fresh():
    """PyTorch with a new result tensor per round."""
    trace, plan = OUT / "fresh.trace", OUT / "fresh.plan.json"
    command = [sys.executable, HERE / "torch_conv.py", "12", "fresh"]
    _, before, _ = run([ECHO, "profile", "-o", trace, "--", *command])
    _, _, err = run([ECHO, "analyze", trace, "-o", plan, "--no-calibration", "--backend", "mapped", "--", *command])
    say("== fresh:", err.strip())
    _, after, err = run([ECHO, "run", "--plan", plan, "--report", "text", "--", *command])
    say(before.strip(), after.strip(), err.strip())


for step in sys.argv[2:]:
    if time.time() > END:
        say(f"!! {step}: not begun, time is up")
        continue
    began = time.time()
    try:
        name, *arguments = step.split(":")
        globals()[name](*arguments)
    except (Exception, SystemExit) as why:
        say(f"!! {step}: {why}")
    say(f"-- {step}: {time.time() - began:.0f} s")
