#!/usr/bin/python3
"""Import: its rate, its memory, and what another process that writes has to wait; start of a server from the store.

bench/imports.py BUILD_DIR [RECORDS]      (5,000,000 supplier hotels unless said otherwise)
bench/imports.py BUILD_DIR big [HOTELS]   (8,000,000 hotels of the reference unless said otherwise: 34 million records, 11.6 GB,
                                           some of the 12 suppliers with ids in random order; 25 GB of disk, 4 GB of memory)
"""
import os
import pathlib
import re
import subprocess
import sys
import time

import common


def import_file(d, path):
    """Seconds and peak memory of one import."""
    started = time.time()
    with open("/dev/null", "w", encoding="ascii") as null:
        p = subprocess.Popen([str(d.binary), "import", str(path), "--data", str(d.data)], stdout=null, stderr=null)
        peak = 0
        while p.poll() is None:
            try:
                peak = max(peak, common.peak_kib(p.pid))
            except OSError:
                pass
            time.sleep(0.05)
    if p.returncode != 0:
        raise SystemExit("the import failed")
    return time.time() - started, peak


def lines_of(path):
    return int(subprocess.run(["wc", "-l", str(path)], check=True, stdout=subprocess.PIPE, text=True)
               .stdout.split()[0])


def rate_and_memory(binary, folder, hotels, adapters):
    """One import of that many hotels into an empty store."""
    data = folder / f"synth-{hotels}.ndjson"
    common.synth(binary, data, hotels, adapters, 1, "--content", "0")
    d = common.Dragoman(binary, folder / f"data-{hotels}")
    lines = lines_of(data)
    seconds, peak = import_file(d, data)
    print(f"import of {lines:,} records ({data.stat().st_size / 1e6:,.0f} MB): {seconds:.1f} s, "
          f"{lines / seconds:,.0f} records/s, peak {peak / 1024:.0f} MiB")
    return d, data, lines / seconds, peak


def waits_of_a_writer(d, data, build):
    """p99 of another process's transaction while the file is imported once more, each record changed."""
    changed = data.with_suffix(".changed")
    with open(changed, "wb") as out:
        subprocess.run(["sed", '/"type":"source"/s/"name":"/&*/', str(data)], check=True, stdout=out)
    importer = subprocess.Popen([str(d.binary), "import", str(changed), "--data", str(d.data)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    waits = []
    while importer.poll() is None:
        out = subprocess.run([str(build / "bench/store_writer"), f"sqlite:{d.data}/dragoman.db", "2"], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
        waits += [float(line) for line in out.split()]
    changed.unlink()
    if importer.returncode != 0:
        raise SystemExit("the import failed")
    print(f"another process wrote {len(waits)} times meanwhile: p50 {common.percentile(waits, 50):.1f} ms, "
          f"p99 {common.percentile(waits, 99):.1f} ms, longest {max(waits):.1f} ms")
    return common.percentile(waits, 99)


def start_rate(d):
    """Records/s of a server's first load, as it logs it."""
    port = common.free_port()
    p = subprocess.Popen([str(d.binary), "serve", "--data", str(d.data), "--listen", f"127.0.0.1:{port}"],
                         stderr=subprocess.PIPE, text=True)
    try:
        for line in p.stderr:
            found = re.search(r"loaded: (\d+) source and (\d+) dict records in ([\d.]+) s, (\d+) MiB", line)
            if found:
                sources, dicts, seconds, mib = (float(g) for g in found.groups())
                print(f"start: {sources:,.0f} source and {dicts:,.0f} dict records in {seconds:.2f} s, {mib:,.0f} MiB")
                return (sources + dicts) / seconds, mib * 1048576 / sources
        raise SystemExit("the server did not start")
    finally:
        p.terminate()
        p.wait()


def watch(p):
    """Bytes written, CPU seconds and peak memory of a process until it ends, and when it had applied how much (percent)."""
    applied, last = [], {}
    os.set_blocking(p.stderr.fileno(), False)
    while True:
        ended = p.poll() is not None
        for line in (p.stderr.read() or b"").decode(errors="replace").splitlines():
            found = re.search(r"applying (\d+) %", line)
            if found:
                applied.append((time.time(), int(found.group(1))))
        if ended:
            return last["written"], last["cpu"], last["peak"], applied
        try:
            io = pathlib.Path(f"/proc/{p.pid}/io").read_text()
            last = {"written": int(re.search(r"^write_bytes: (\d+)", io, re.M).group(1)),
                    "cpu": common.cpu_seconds(p.pid), "peak": common.peak_kib(p.pid)}
        except (OSError, AttributeError, IndexError):
            pass
        time.sleep(0.1)


def slowest_tenth(applied, records):
    """The lowest rate at which a tenth of the records was applied."""
    lowest = None
    for i, (begin, first) in enumerate(applied):
        for end, last in applied[i + 1:]:
            if last - first >= 10:
                rate = records * (last - first) / 100 / (end - begin)
                lowest = rate if lowest is None else min(lowest, rate)
                break
    return lowest or 0.0


def big_import(d, data):
    """One import of the file, watched. Returns whether it kept its bounds."""
    records, size = lines_of(data), data.stat().st_size
    started = time.time()
    p = subprocess.Popen([str(d.binary), "import", str(data), "--data", str(d.data)], stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE)
    written, cpu, peak, applied = watch(p)
    seconds = time.time() - started
    if p.returncode != 0:
        raise SystemExit("the import failed")
    store = sum(f.stat().st_size for f in d.data.glob("dragoman.db*"))
    print(f"import of {records:,} records ({size / 1e6:,.0f} MB): {seconds:.0f} s, {cpu:.0f} s of CPU "
          f"({cpu / records * 1e6:.1f} us a record), peak {peak / 1024:.0f} MiB, "
          f"{written / 1e6:,.0f} MB written for a store of {store / 1e6:,.0f} MB")
    kept = common.verdict("records/s imported", records / seconds, 150_000, smaller=False)
    kept &= common.verdict("records/s applied in the slowest tenth", slowest_tenth(applied, records), 150_000, smaller=False)
    kept &= common.verdict("bytes written, to the store's size", written / store, 3)
    return kept


def big(build, hotels):
    with common.folder() as folder:
        data = folder / "big.ndjson"
        common.synth(build / "dragoman", data, hotels, 12)
        d = common.Dragoman(build / "dragoman", folder / "data")
        kept = big_import(d, data)
        data.unlink()
        loaded, _ = start_rate(d)
        return common.verdict("records/s loaded at a start", loaded, 600_000, smaller=False) and kept


def main():
    build = common.programs(sys.argv[1])
    if sys.argv[2:3] == ["big"]:
        return 0 if big(build, int(sys.argv[3]) if len(sys.argv) > 3 else 8_000_000) else 1
    records = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000_000
    binary = build / "dragoman"
    kept = True
    with common.folder() as folder:
        # With 50 suppliers a hotel has about 9 supplier records.
        small, _, _, small_peak = rate_and_memory(binary, folder, max(1, records // 90), 50)
        d, data, rate, peak = rate_and_memory(binary, folder, records // 9, 50)
        kept &= common.verdict("records/s imported", rate, 150_000, smaller=False)
        kept &= common.verdict("peak memory of ten times the file, to the file's", peak / small_peak, 1.5)
        loaded, per_source = start_rate(d)
        kept &= common.verdict("records/s loaded at a start", loaded, 500_000, smaller=False)
        kept &= common.verdict("bytes of catalog, all in, for each supplier record", per_source, 250)
        kept &= common.verdict("p99 of another process's write, ms", waits_of_a_writer(d, data, build), 200)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
