// SPDX-License-Identifier: Apache-2.0
// Replays the made-up host every so many seconds: its derived metrics, or their operands alone.
// Both ways answers are fetched and each value is looked at; nothing is written. With `times` the
// same context fetches that often: from the third time on the observations are in memory, and no
// record is read any more. derived_times ARCHIVE operands|derived SECONDS [TIMES]
// Prints how many metrics, fetches and values there were as one JSON object.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/derived/archive_operands.h"
#include "reference/derived/derived_context.h"
#include "reference/derived/derived_replay.h"
#include "reference/replay/profiles.h"
#include "reference/replay/replay.h"

namespace {

using namespace pmproof;  // NOLINT(google-build-using-namespace): nobody includes this

struct Defined {
  const char* name;
  const char* expression;
};

// As users write them: of each operand about one. Singular ones, ones of 3, 8 and 16 instances, and
// processes, of which 150 are there at a time and some 1500 come and go.
constexpr Defined kDefinitions[] = {
    // Arithmetic, with and without a conversion of scale.
    {"b.cpu.busy", "kernel.all.cpu.user + kernel.all.cpu.sys + kernel.all.cpu.nice"},
    {"b.mem.use", "100 * mem.util.used / (mem.util.used + mem.util.free)"},
    {"b.mem.cache", "rescale(mem.util.cached, \"Mbyte\")"},
    {"b.mem.slack", "mem.util.slab + mkconst(4194304, units=\"byte\", semantics=\"instant\")"},
    {"b.disk.time", "100 * instant(disk.dev.avactive) / instant(disk.dev.aveq)"},
    {"b.percpu.time", "kernel.percpu.cpu.user + kernel.percpu.cpu.sys"},
    {"b.proc.io", "proc.io.read_bytes + proc.io.write_bytes"},
    {"b.proc.wait", "instant(proc.schedstat.cpu_time) / instant(proc.psinfo.utime)"},
    {"b.proc.swapped", "proc.memory.size - proc.memory.rss"},
    // Over time.
    {"b.intr", "rate(kernel.all.intr)"},
    {"b.disk.size", "delta(disk.dev.read_bytes) / delta(disk.dev.read)"},
    {"b.disk.write", "rate(disk.dev.write_bytes)"},
    {"b.percpu.idle", "rate(kernel.percpu.cpu.idle)"},
    {"b.proc.chars", "rate(proc.io.rchar) + rate(proc.io.wchar)"},
    // Aggregates.
    {"b.percpu.worst", "max(kernel.percpu.cpu.wait.total) - min(kernel.percpu.cpu.nice)"},
    {"b.clock", "avg(hinv.cpu.clock)"},
    {"b.disk.queue", "sum(disk.dev.inflight)"},
    {"b.proc.threads", "sum(proc.psinfo.threads) / count(proc.psinfo.threads)"},
    // Ternaries.
    {"b.load", "kernel.all.load > 1 ? kernel.all.load : -kernel.all.load"},
    {"b.disk.busy", "disk.dev.inflight > 3 ? disk.dev.write : disk.dev.read"},
    // Some of the instances.
    {"b.disk.first", "matchinst(/^nvme[0-3]/, disk.dev.read)"},
    {"b.percpu.odd", "matchinst(/[13579]$/, rate(kernel.percpu.intr))"},
    {"b.proc.stime", "matchinst(!/^0000/, proc.psinfo.stime)"},
    {"b.load.five", "kernel.all.load[5 minute]"},
};

int Fail(const std::string& why) {
  std::fprintf(stderr, "derived_times: %s\n", why.c_str());
  return 1;
}

// What came, and a sum of all bits so that none was for nothing.
struct Seen {
  std::uint64_t fetches = 0;
  std::uint64_t values = 0;
  std::uint64_t bits = 0;

  void Look(const replay::FetchAnswer& answer) {
    ++fetches;
    for (const replay::MetricAnswer& metric : answer.metrics) {
      values += metric.values.size();
      for (const replay::InstanceAnswer& value : metric.values) bits += value.value.bits;
    }
  }
};

int Run(const std::string& name, bool derive, std::int64_t seconds, int rounds) {
  const auto storage = archive::MakePosixStorage();
  const auto opened = replay::ReplayArchive::Open(*storage, {name});
  if (!opened) return Fail(opened.error().ToText());
  const replay::ReplayArchive& archive = **opened;
  const auto end = archive.End();
  if (!end) return Fail(name + ": no record");

  derived::Registry registry(derived::Registry::Scope::kGlobal, derived::kV72);
  const derived::ArchiveOperands metrics(archive);
  derived::DerivedContext definitions(metrics, registry);
  derived::DerivedReplay::Request wanted;
  wanted.step = seconds * 1'000'000'000;
  for (const Defined& defined : kDefinitions) {
    const auto taken = registry.Register(defined.name, defined.expression);
    if (!taken) return Fail(std::string(defined.name) + ": " + taken.error().message);
    const auto* const bound = definitions.Bind(defined.name);
    if (bound == nullptr) return Fail(std::string(defined.name) + ": its name is taken");
    if (!*bound) return Fail(derived::ToText(bound->error(), defined.name));
    wanted.metrics.push_back((*taken)->pmid);
  }
  const std::size_t derived_metrics = wanted.metrics.size();
  derived::DerivedReplay derived(archive, &definitions, derived::kV72, std::move(wanted));

  std::vector<Timestamp> times;
  for (Timestamp time = archive.origin().start(); time < *end;
       time = time + seconds * 1'000'000'000) {
    times.push_back(time);
  }
  replay::ReplayRequest request;
  request.metrics = derived.fetched();
  replay::ReplayContext context(archive, request, replay::Pcp632());
  Seen seen;
  for (int round = 0; round < rounds; ++round) {
    const auto error = context.Fetch(times, [&](const replay::FetchAnswer& fetch) {
      seen.Look(derive ? derived.Take(fetch) : fetch);
    });
    if (error) return Fail(error->ToText());
  }
  std::printf("{\"metrics\": %zu, \"fetches\": %llu, \"values\": %llu, \"bits\": %llu}\n",
              derive ? derived_metrics : request.metrics.size(),
              static_cast<unsigned long long>(seen.fetches),
              static_cast<unsigned long long>(seen.values),
              static_cast<unsigned long long>(seen.bits));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 2 ? argv[2] : "";
  if (argc < 4 || argc > 5 || (what != "operands" && what != "derived")) {
    return Fail("usage: derived_times ARCHIVE operands|derived SECONDS [TIMES]");
  }
  return Run(argv[1], what == "derived", std::strtoll(argv[3], nullptr, 10),
             argc == 5 ? std::atoi(argv[4]) : 1);
}
