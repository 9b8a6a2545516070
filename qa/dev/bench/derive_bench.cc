// SPDX-License-Identifier: Apache-2.0
// How fast definitions are parsed and bound, on one core: generated expressions of 40 characters on
// average, as users write them, and a long one. A program of Google Benchmark: its options, its
// reports.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/derived/bind.h"
#include "reference/derived/parse.h"

namespace {

using namespace pmproof;           // NOLINT(google-build-using-namespace): nobody includes this
using namespace pmproof::derived;  // NOLINT(google-build-using-namespace)

// As users write them: 39 characters on average.
const std::vector<std::string> kTypical = {
    "delta(disk.bytes) / delta(disk.ops)",         "rate(net.in.bytes) + rate(net.out.bytes)",
    "100 * (mem.used - mem.cached) / mem.total",   "avg(disk.util) > 80 && max(disk.queue) > 4",
    "defined(mem.swap) ? mem.swap : mem.used",     "matchinst(/^sd[a-z]$/, rate(disk.ops))",
    "rescale(rate(net.in.bytes), \"Mbyte/hour\")", "disk.util[sda] + disk.util[sdb] * 0.5 - 1",
};

constexpr std::size_t kGenerated = 8192;
constexpr std::size_t kAverage = 40;

// Their metrics. Looking them up is not what is measured.
class Metrics final : public OperandSource {
 public:
  OperandAnswer Find(std::string_view name) const override {
    const bool counter = name.ends_with("bytes") || name.ends_with("ops");
    const bool disk = name.starts_with("disk.");
    return {OperandAnswer::Kind::kMetric,
            {Pmid::Of(60, 0, static_cast<std::uint32_t>(name.size())), MetricType::kU64,
             disk ? Indom::Of(60, 1) : Indom::Null(),
             counter ? Semantics::kCounter : Semantics::kInstant,
             Units{name.ends_with("bytes") ? 0x10000000U : 0}}};
  }
};

// What is the matter with an expression; empty: nothing.
std::string Problem(const std::string& text) {
  auto parsed = Parse(text, kV72);
  if (!parsed) return std::to_string(parsed.error().position) + ": " + parsed.error().message;
  const auto bound = Bind(std::make_shared<const Expression>(std::move(*parsed)), kV72, Metrics());
  return bound ? "" : ToText(bound.error(), text);
}

// Expressions by chance from the grammar, always the same ones.
class Generator {
 public:
  std::string Expression(int depth) {
    if (depth == 0) return Leaf();
    switch (Chance(12)) {
      case 0:
        return Pick({"avg", "count", "max", "min", "sum", "scalar"}) + "(" + Metric() + ")";
      case 1:
        return Pick({"delta", "rate", "instant"}) + "(" + Metric() + ")";
      case 2:
        return Pick({"-", "!"}) + Expression(depth - 1);
      case 3:
        return "rescale(" + Metric() + ", \"" + Pick({"Kbyte", "Mbyte/hour", "count"}) + "\")";
      case 4:
        return "matchinst(" + Pick({"/^sd/", "!/[0-9]$/", "/a|b/"}) + ", " + Expression(depth - 1) +
               ")";
      case 5:
        return Pick({"defined(mem.swap)", Leaf() + " > 0"}) + " ? " + Expression(depth - 1) +
               " : " + Expression(depth - 1);
      case 6:
        return "(" + Expression(depth - 1) + ")";
      case 7:
        return Leaf();
      default:
        return Expression(depth - 1) +
               Pick({" + ", " - ", " * ", " / ", "*", "/", " > ", " == ", " && ", " || "}) +
               Expression(depth - 1);
    }
  }

 private:
  std::size_t Chance(std::size_t choices) {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(random_ >> 33) % choices;
  }
  std::string Pick(const std::vector<std::string>& words) { return words[Chance(words.size())]; }
  std::string Metric() {
    return Pick({"disk.bytes", "disk.ops", "disk.util", "disk.queue", "net.in.bytes",
                 "net.out.bytes", "mem.used", "mem.cached", "mem.swap", "cpu.load"});
  }
  std::string Leaf() {
    switch (Chance(6)) {
      case 0:
        return std::to_string(Chance(1000));
      case 1:
        return Pick({"0.5", "1e3", "100.25", "mkconst(8, type=\"u64\")"});
      case 2:
        return Pick({"disk.util[sda]", "disk.ops[nvme0n1]", "disk.queue[sdb]"});
      default:
        return Metric();
    }
  }

  std::uint64_t random_ = 1;
};

// Those that bind, of 20 to 60 characters: longer ones while the average is too low.
std::vector<std::string> Generated() {
  Generator generator;
  std::vector<std::string> texts;
  std::size_t characters = 0;
  while (texts.size() < kGenerated) {
    std::string text = generator.Expression(3);
    const bool is_long = text.size() > kAverage;
    if (text.size() < 20 || text.size() > 60) continue;
    if (is_long != (characters <= kAverage * texts.size()) || !Problem(text).empty()) continue;
    characters += text.size();
    texts.push_back(std::move(text));
  }
  return texts;
}

void Check(const std::string& text) {
  const std::string problem = Problem(text);
  if (problem.empty()) return;
  std::cerr << text << ": " << problem << '\n';
  std::exit(1);
}

void ParseAndBind(benchmark::State& state, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) Check(text);
  const Metrics metrics;
  std::size_t next = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string& text = texts[next];
    next = next + 1 == texts.size() ? 0 : next + 1;
    bytes += text.size();
    auto parsed = Parse(text, kV72);
    auto bound = Bind(std::make_shared<const Expression>(std::move(*parsed)), kV72, metrics);
    benchmark::DoNotOptimize(bound);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void ParseAlone(benchmark::State& state, const std::vector<std::string>& texts) {
  std::size_t next = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string& text = texts[next];
    next = next + 1 == texts.size() ? 0 : next + 1;
    bytes += text.size();
    auto parsed = Parse(text, kV72);
    benchmark::DoNotOptimize(parsed);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

std::string Sum(int count) {
  std::string text = "mem.used";
  for (int i = 0; i < count; ++i) text += " + mem.used";
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const std::vector<std::string> generated = Generated();
  benchmark::RegisterBenchmark("parse_and_bind/generated", ParseAndBind, generated);
  benchmark::RegisterBenchmark("parse/generated", ParseAlone, generated);
  benchmark::RegisterBenchmark("parse_and_bind/typical", ParseAndBind, kTypical);
  benchmark::RegisterBenchmark("parse_and_bind/long", ParseAndBind,
                               std::vector<std::string>{Sum(100000)});
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
