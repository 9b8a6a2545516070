// How fast definitions are parsed and bound, on one core: expressions of about 40 characters, and
// one for each part of the language. A program of Google Benchmark: its options, its reports.

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

void Check(const std::string& text) {
  auto parsed = Parse(text, kV72);
  if (!parsed) {
    std::cerr << text << ": " << parsed.error().position << ": " << parsed.error().message << '\n';
    std::exit(1);
  }
  const auto bound = Bind(std::make_shared<const Expression>(std::move(*parsed)), kV72, Metrics());
  if (!bound) {
    std::cerr << ToText(bound.error(), text) << '\n';
    std::exit(1);
  }
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
  for (auto _ : state) {
    auto parsed = Parse(texts[next], kV72);
    benchmark::DoNotOptimize(parsed);
    next = next + 1 == texts.size() ? 0 : next + 1;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

std::string Sum(int count) {
  std::string text = "mem.used";
  for (int i = 0; i < count; ++i) text += " + mem.used";
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::RegisterBenchmark("parse_and_bind/typical", ParseAndBind, kTypical);
  benchmark::RegisterBenchmark("parse/typical", ParseAlone, kTypical);
  for (const std::string& text : kTypical) {
    benchmark::RegisterBenchmark(("parse_and_bind/" + text).c_str(), ParseAndBind,
                                 std::vector<std::string>{text});
  }
  benchmark::RegisterBenchmark("parse_and_bind/long", ParseAndBind,
                               std::vector<std::string>{Sum(100000)});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
