// SPDX-License-Identifier: Apache-2.0
// How fast models are encoded into memory, beside memcpy of the same bytes into the same buffer.
// A program of Google Benchmark: its options, its reports. Names are what/content/version.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "qa/dev/bench/host.h"
#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "reference/archive/model.h"

namespace {

using namespace pmproof;  // NOLINT(google-build-using-namespace): nobody includes this

// Records enough that they are no longer in the first caches when their turn comes again.
constexpr std::size_t kBytes = std::size_t{4} << 20;

constexpr Timestamp kTime{1700000000, 0};

archive::ResultModel OneSet(std::int32_t format, std::size_t count,
                            archive::ValueModel (*value)(std::int32_t instance)) {
  archive::ValueSetModel set{Pmid::Of(60, 0, 1), format, {}, 0};
  for (std::size_t i = 0; i < count; ++i) set.values.push_back(value(static_cast<std::int32_t>(i)));
  return {kTime, {std::move(set)}};
}

archive::ValueModel Block(std::int32_t instance, MetricType type, std::string payload) {
  return {instance,
          archive::BlockModel{static_cast<std::uint8_t>(type), std::move(payload), std::nullopt}};
}

archive::ResultModel HostRecord() { return bench::Host(3).Model(); }

archive::ResultModel Insitu() {
  return OneSet(archive::kInsitu, 500, [](std::int32_t instance) {
    return archive::ValueModel{instance, static_cast<std::uint32_t>(instance)};
  });
}

archive::ResultModel Wide() {
  return OneSet(archive::kDynamic, 500, [](std::int32_t instance) {
    return Block(instance, MetricType::kU64, std::string(8, 'x'));
  });
}

archive::ResultModel Strings() {
  return OneSet(archive::kDynamic, 500, [](std::int32_t instance) {
    return Block(instance, MetricType::kString,
                 "/usr/lib/system/service-" + std::to_string(instance) + '\0');
  });
}

archive::ResultModel Small() {
  archive::ResultModel result{kTime, {}};
  for (std::uint32_t item = 0; item < 4; ++item) {
    const archive::ValueModel value{kInstanceNull, item};
    result.sets.push_back({Pmid::Of(60, 0, item), archive::kInsitu, {value}, 0});
  }
  return result;
}

archive::MetaRecordModel Instances() {
  archive::IndomModel indom{kTime, Indom::Of(60, 4), {}, false};
  for (std::int32_t id = 0; id < 150; ++id)
    indom.instances.push_back({id, std::to_string(id) + " /usr/sbin/service --worker"});
  return indom;
}

void Append(const archive::ResultModel& model, int version, archive::Buffer* out) {
  archive::AppendResult(model, version, out);
}
void Append(const archive::MetaRecordModel& model, int version, archive::Buffer* out) {
  archive::AppendMetaRecord(model, version, out);
}

// Records all alike, as models and as bytes.
template <typename Model>
struct Records {
  int version;
  std::vector<Model> models;
  archive::Buffer record;

  std::size_t bytes() const { return models.size() * record.size(); }
};

template <typename Model>
void Encode(benchmark::State& state, const Records<Model>& records) {
  archive::Buffer buffer;
  for (auto _ : state) {
    buffer.clear();
    for (const Model& model : records.models) Append(model, records.version, &buffer);
    benchmark::DoNotOptimize(buffer.data());
    benchmark::ClobberMemory();
  }
  if (buffer.size() != records.bytes()) state.SkipWithError("not the bytes expected");
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(records.bytes()));
}

// Copies a record at a time too: that is what it would be if encoding itself cost nothing.
template <typename Model>
void Copy(benchmark::State& state, const Records<Model>& records) {
  archive::Buffer source;
  for (std::size_t i = 0; i < records.models.size(); ++i)
    source.insert(source.end(), records.record.begin(), records.record.end());
  archive::Buffer buffer(source.size());
  const std::size_t size = records.record.size();
  for (auto _ : state) {
    for (std::size_t at = 0; at < source.size(); at += size)
      std::memcpy(buffer.data() + at, source.data() + at, size);
    benchmark::DoNotOptimize(buffer.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(records.bytes()));
}

template <typename Model>
void Add(const std::string& content, const Model& model) {
  for (const int version : {2, 3}) {
    auto records = std::make_shared<Records<Model>>();
    records->version = version;
    Append(model, version, &records->record);
    records->models.assign(std::max<std::size_t>(1, kBytes / records->record.size()), model);
    const std::string name = content + "/v" + std::to_string(version);
#ifndef __clang_analyzer__  // takes what the library keeps to the end for leaks
    benchmark::RegisterBenchmark(("encode/" + name).c_str(),
                                 [records](benchmark::State& state) { Encode(state, *records); });
    benchmark::RegisterBenchmark(("memcpy/" + name).c_str(),
                                 [records](benchmark::State& state) { Copy(state, *records); });
#endif
  }
}

}  // namespace

int main(int argc, char** argv) {
  Add("host", HostRecord());
  Add("insitu", Insitu());
  Add("64bit", Wide());
  Add("strings", Strings());
  Add("small", Small());
  Add("instances", Instances());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
