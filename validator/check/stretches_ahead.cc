// SPDX-License-Identifier: Apache-2.0
#include "validator/check/stretches_ahead.h"

#include <algorithm>
#include <utility>

#include "validator/check/mean_record.h"

namespace pmproof::validator {
namespace {

// Shorter ones would be looked at for longer than they are checked.
constexpr std::size_t kLeastMost = 64;

// One that begins has everything to learn about the records.
constexpr std::size_t kShortest = std::size_t{4} << 20;

}  // namespace

StretchesAhead::StretchesAhead(WorkPool& pool, const MetricTable& metrics,
                               const FindingCollector& collector, Volume volume,
                               std::size_t stretch, StretchBuffers& buffers)
    : metrics_(metrics),
      collector_(collector),
      volume_(volume),
      buffers_(buffers),
      parts_(pool,
             volume.file != nullptr && stretch >= kLeastMost ? volume.file->bytes().size() : 0,
             {std::min(kShortest, stretch), stretch, volume.after}) {}

// Where records are short, there are no more in a stretch than have a note, and others may be
// shorter still.
void StretchesAhead::LimitAt(std::uint64_t position) {
  if (std::exchange(limited_, true) || !parts_.any()) return;
  if (const auto mean = MeanRecord(*volume_.file, position))
    parts_.LimitTo(*mean * (StretchAhead::kMostRecords / 4 * 3));
}

std::unique_ptr<StretchAhead> StretchesAhead::Make(FilePart part,
                                                   const std::optional<Timestamp>& latest) const {
  return std::make_unique<StretchAhead>(
      StretchAhead::Task{volume_.file, volume_.part, volume_.version, volume_.from, part, latest,
                         &buffers_},
      metrics_, collector_.Fresh());
}

void StretchesAhead::BeginAfter(const StretchesAhead& before, std::uint64_t position,
                                const std::optional<Timestamp>& latest) {
  if (!before.parts_.all_planned()) return;
  LimitAt(position);
  const std::size_t most = parts_.most_waiting() - before.parts_.waiting();
  parts_.Begin(
      position, [&](FilePart part) { return Make(part, latest); }, most);
}

void StretchesAhead::Plan(std::uint64_t position, const std::optional<Timestamp>& latest) {
  LimitAt(position);
  parts_.Plan(position, [&](FilePart part) { return Make(part, latest); });
}

std::unique_ptr<StretchAhead> StretchesAhead::Take(std::uint64_t position,
                                                   const std::optional<Timestamp>& latest) {
  LimitAt(position);
  return parts_.Take(
      position, [&](FilePart part) { return Make(part, latest); },
      [&](const StretchAhead& stretch) { return stretch.Follows(position, latest); });
}

}  // namespace pmproof::validator
