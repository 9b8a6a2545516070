// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "reference/pmda/pdu/testing/allocations.h"
#include "reference/pmda/pdu/testing/round_trip.h"

// Fetch round trips of ten metrics a second, on one core: "items_per_second". "allocations" is how
// often one of them asks for memory.

namespace pmproof::pdu {
namespace {

void FetchRoundTrip(benchmark::State& state) {
  RoundTrip round_trip;
  for (int warm = 0; warm < 1000; ++warm) round_trip.Run();
  std::size_t values = 0;
  const std::size_t before = Allocations();
  for (auto _ : state) values += round_trip.Run();
  const std::size_t asked = Allocations() - before;
  const auto trips = static_cast<std::size_t>(state.iterations());
  if (values != RoundTrip::kMetrics * trips) state.SkipWithError("values are missing");
  state.SetItemsProcessed(state.iterations());
  state.counters["allocations"] = static_cast<double>(asked) / static_cast<double>(trips);
}
BENCHMARK(FetchRoundTrip);

}  // namespace
}  // namespace pmproof::pdu

BENCHMARK_MAIN();
