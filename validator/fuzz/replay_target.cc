// SPDX-License-Identifier: Apache-2.0
#include "validator/fuzz/replay_target.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <span>

#include "reference/archive/storage.h"
#include "reference/replay/emulation/pcp_context.h"
#include "reference/replay/emulation/record_log.h"
#include "reference/replay/profiles.h"
#include "reference/replay/replay.h"

namespace pmproof::validator {
namespace {

using replay::ReplayArchive;

constexpr std::size_t kMemory = std::size_t{1} << 20;
constexpr std::size_t kMostMetrics = 20;

archive::MemoryStorage Unpack(std::span<const std::uint8_t> input) {
  archive::MemoryStorage storage;
  std::size_t sizes[2];
  for (std::size_t& size : sizes) {
    size = LoadU32(input.data());
    input = input.subspan(4);
  }
  const auto take = [&](std::size_t size) {
    const auto bytes = input.first(std::min(size, input.size()));
    input = input.subspan(bytes.size());
    return std::vector<std::uint8_t>(bytes.begin(), bytes.end());
  };
  storage.files["base.meta"] = take(sizes[0]);
  storage.files["base.index"] = take(sizes[1]);
  storage.files["base.0"] = take(input.size());
  return storage;
}

std::vector<Timestamp> SomeTimes(const ReplayArchive& archive) {
  const Timestamp start = archive.origin().start();
  const std::int64_t span =
      std::max<std::int64_t>(0, NanosecondsBetween(start, archive.End().value_or(start)));
  std::vector<Timestamp> times = {start + -1, start, start + 1, start + -500'000};
  for (const int eighths : {8, 3, 5, 1, 7, 2, 4, 6}) times.push_back(start + span / 8 * eighths);
  const Timestamp end = start + span;
  times.insert(times.end(), {end + -1, end, end + 1, end + 500'000, end + 1'000'000'000});
  return times;
}

// What an answer is, as far as it can be compared.
struct Summary {
  ErrorCode status = ErrorCode::kOk;
  std::vector<std::uint64_t> numbers;

  friend bool operator==(const Summary&, const Summary&) = default;
};

Summary Summed(const replay::FetchAnswer& answer) {
  Summary summary{answer.status, {}};
  for (const replay::MetricAnswer& metric : answer.metrics) {
    summary.numbers.push_back(metric.pmid.value);
    summary.numbers.push_back(static_cast<std::uint64_t>(metric.status));
    for (const replay::InstanceAnswer& value : metric.values) {
      summary.numbers.push_back(static_cast<std::uint64_t>(value.instance));
      summary.numbers.push_back(value.value.bits);
      summary.numbers.push_back(value.value.opaque.size());
      summary.numbers.insert(summary.numbers.end(), value.value.opaque.begin(),
                             value.value.opaque.end());
    }
  }
  return summary;
}

// Nothing if the archive cannot be read that far, or not in this memory.
std::optional<std::vector<Summary>> Ask(const ReplayArchive& archive,
                                        const replay::ReplayRequest& request,
                                        const replay::Profile& profile,
                                        std::span<const Timestamp> times) {
  replay::ReplayContext context(archive, request, profile);
  std::vector<Summary> answers;
  const auto error = context.Fetch(
      times, [&](const replay::FetchAnswer& answer) { answers.push_back(Summed(answer)); });
  if (error) return std::nullopt;
  if (answers.size() != times.size()) std::abort();
  return answers;
}

void AskEachWay(const ReplayArchive& archive, const std::vector<Pmid>& metrics,
                std::span<const Timestamp> times) {
  replay::ReplayRequest request;
  request.metrics = metrics;
  request.memory = kMemory;
  for (const replay::Profile& profile : replay::NamedProfiles(replay::CounterWrap::kOn)) {
    request.seeks = false;
    request.reasons = true;
    request.direction = -1;
    Ask(archive, request, profile, times);
    request.seeks = true;
    request.reasons = false;
    request.direction = 1;
    const auto together = Ask(archive, request, profile, times);
    if (!together || !profile->traits().exact_end) continue;  // else INT-206 has a memory
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto alone = Ask(archive, request, profile, times.subspan(i, 1));
      if (alone && alone->front() != (*together)[i]) std::abort();
    }
  }
}

// INT-311: whatever is not as it is taken to be, it ends with answers or an error.
void AskTakenToBeSound(ReplayArchive& archive, const std::vector<Pmid>& metrics,
                       std::span<const Timestamp> times) {
  archive.AssumeSound();
  replay::ReplayRequest request;
  request.metrics = metrics;
  request.memory = kMemory;
  request.seeks = true;
  for (const replay::Profile& profile : replay::NamedProfiles(replay::CounterWrap::kOn)) {
    for (const int direction : {1, -1}) {
      request.direction = direction;
      Ask(archive, request, profile, times);
    }
    Ask(archive, request, profile, times.first(1));
    Ask(archive, request, profile, times.last(1));
  }
}

void Emulate(const ReplayArchive& archive, const std::vector<Pmid>& metrics,
             std::span<const Timestamp> times) {
  const auto log = replay::emulation::RecordLog::Load(archive, metrics, kMemory);
  if (!log) return;
  std::vector<std::size_t> numbers(metrics.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const std::int64_t span = NanosecondsBetween(times.front(), times.back());
  for (const auto version :
       {archive::PcpVersion::k6_0_3, archive::PcpVersion::k6_3_8, archive::PcpVersion::k7_2}) {
    replay::emulation::PcpContext context(**log, version, replay::CounterWrap::kOn);
    for (const std::int64_t sign : {1, -1}) {
      const std::int64_t step = span / 10 * sign;
      context.SetMode(sign > 0 ? times.front() : times.back(),
                      {step / 1'000'000'000, static_cast<std::int32_t>(step % 1'000'000'000)});
      for (int i = 0; i < 12; ++i) {
        if (context.Fetch(numbers).metrics.size() > metrics.size()) std::abort();
      }
      for (const Timestamp time : times) {
        context.SetMode(time, {sign, 0});
        context.Fetch(numbers);
      }
    }
  }
}

}  // namespace

std::vector<std::uint8_t> AsInput(const std::map<std::string, std::vector<std::uint8_t>>& files) {
  std::vector<std::uint8_t> input(8);
  StoreU32(input.data(), static_cast<std::uint32_t>(files.at("meta").size()));
  StoreU32(input.data() + 4, static_cast<std::uint32_t>(files.at("index").size()));
  for (const char* name : {"meta", "index", "0"}) {
    input.insert(input.end(), files.at(name).begin(), files.at(name).end());
  }
  return input;
}

void ReplayInput(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return;
  const archive::MemoryStorage storage = Unpack({data, size});
  const auto archive = ReplayArchive::Open(storage, {"base"});
  if (!archive) return;
  std::vector<Pmid> metrics;
  for (const auto& [pmid, metric] : (*archive)->metrics()) {
    if (metrics.size() < kMostMetrics) metrics.push_back(pmid);
  }
  if (metrics.empty()) return;
  const std::vector<Timestamp> times = SomeTimes(**archive);
  AskEachWay(**archive, metrics, times);
  Emulate(**archive, metrics, times);
  AskTakenToBeSound(**archive, metrics, times);
}

}  // namespace pmproof::validator
