// SPDX-License-Identifier: Apache-2.0
#include "validator/policy/requirements.h"

#include <algorithm>
#include <new>
#include <utility>

#include "reference/archive/label_record.h"
#include "reference/archive/metadata.h"
#include "reference/core/printable.h"
#include "validator/info/info.h"
#include "validator/policy/name_search.h"
#include "validator/text/duration.h"

namespace pmproof::validator::policy {
namespace {

std::string Quoted(std::string_view text) { return "\"" + Printable(text) + "\""; }

// "a", "b" and 7 more
std::string Listed(const std::vector<std::string>& words, const char* before_last) {
  constexpr std::size_t kMostShown = 5;
  std::string text;
  const std::size_t shown = std::min(words.size(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == words.size();
    text += (i == 0 ? "" : last ? before_last : ", ") + Quoted(words[i]);
  }
  if (shown < words.size()) text += " and " + std::to_string(words.size() - shown) + " more";
  return text;
}

// The zone of a zoneinfo field, which has a colon in front.
std::string_view WithoutColon(std::string_view zone) {
  return zone.starts_with(':') ? zone.substr(1) : zone;
}

bool MatchesAny(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return Matches(pattern, text); });
}

// What one entry requires, held against one archive.
class Held {
 public:
  explicit Held(const Require& require)
      : require_(require), metrics_(require.metrics), labels_(require.label_keys) {}

  void See(const archive::Metadata& metadata) {
    if (!require_.metrics.empty()) {
      for (const archive::DescRecord& desc : metadata.descs) {
        desc.ForEachName([&](std::string_view name, std::size_t) { metrics_.See(name); });
      }
    }
    if (require_.label_keys.empty()) return;
    for (const archive::LabelRecord& record : metadata.labels) {
      if (record.label_class != LabelClass::kContext) continue;
      record.ForEachSet([&](const archive::LabelSet& set) { SeeLabels(set); });
    }
  }

  void Judge(const ArchiveInfo& info, std::vector<PolicyFinding>* unmet) {
    unmet_ = unmet;
    JudgeNames();
    JudgeTimes(info);
    JudgeLabel(info);
    for (const FileInfo& file : info.files) {
      if (file.part < 0 || require_.compression.empty()) continue;
      const char* name = CompressionName(file.compression);
      if (std::ranges::count(require_.compression, name) > 0) continue;
      Add(PolicyCheck::kCompression, "the compression of " + Printable(file.name) + " is " + name +
                                         ", not " + Listed(require_.compression, " or "));
      break;
    }
  }

 private:
  void Add(PolicyCheck check, std::string message) {
    unmet_->push_back({.check = check,
                       .severity = require_.severity,
                       .line = require_.line,
                       .message = std::move(message),
                       .reason = require_.reason});
  }

  // Places of names were reported where they are wrong, not mended.
  void SeeLabels(const archive::LabelSet& set) {
    for (std::int32_t i = 0; i < set.count; ++i) {
      const archive::LabelEntry entry = set.Entry(static_cast<std::size_t>(i));
      if (entry.name_offset > set.json.size()) continue;
      labels_.See(set.json.substr(entry.name_offset, entry.name_length));
    }
  }

  void JudgeNames() {
    if (const auto missing = metrics_.Missing(); !missing.empty()) {
      Add(PolicyCheck::kMetrics, "there is no metric " + Listed(missing, " and no "));
    }
    if (const auto missing = labels_.Missing(); !missing.empty()) {
      Add(PolicyCheck::kLabelKeys, "the archive has no label " + Listed(missing, " and no "));
    }
  }

  void JudgeTimes(const ArchiveInfo& info) {
    if (require_.min_span) {
      if (!info.data.first) {
        Add(PolicyCheck::kSpan, "there are no records, and so no span");
      } else if (const std::int64_t span = NanosecondsBetween(*info.data.first, *info.data.last);
                 span < *require_.min_span) {
        Add(PolicyCheck::kSpan, "the span is " + DurationText(span) + ", less than " +
                                    DurationText(*require_.min_span));
      }
    }
    if (require_.max_interval) {
      if (info.median_interval == 0) {
        Add(PolicyCheck::kInterval, "there are too few records to tell their interval");
      } else if (info.median_interval > *require_.max_interval) {
        Add(PolicyCheck::kInterval, "the typical interval of records is " +
                                        DurationText(info.median_interval) + ", more than " +
                                        DurationText(*require_.max_interval));
      }
    }
    if (require_.max_gap && info.longest_distance &&
        info.longest_distance->nanoseconds > *require_.max_gap) {
      Add(PolicyCheck::kGap, "there is no data record for " +
                                 DurationText(info.longest_distance->nanoseconds) + " after " +
                                 ToIsoText(info.longest_distance->from) + ", more than " +
                                 DurationText(*require_.max_gap));
    }
  }

  void JudgeLabel(const ArchiveInfo& info) {
    const archive::ArchiveLabel label = info.label.value_or(archive::ArchiveLabel());
    if (!require_.hosts.empty() && !MatchesAny(require_.hosts, label.host)) {
      Add(PolicyCheck::kHost,
          "the host is " + Quoted(label.host) + ", not " + Listed(require_.hosts, " or "));
    }
    if (!require_.time_zones.empty() && !MatchesAny(require_.time_zones, label.timezone) &&
        !MatchesAny(require_.time_zones, WithoutColon(label.zoneinfo))) {
      const std::string also =
          label.zoneinfo.empty() ? "" : " (" + Quoted(WithoutColon(label.zoneinfo)) + ")";
      Add(PolicyCheck::kTimeZone, "the time zone is " + Quoted(label.timezone) + also + ", not " +
                                      Listed(require_.time_zones, " or "));
    }
    if (!require_.versions.empty() && std::ranges::count(require_.versions, label.version) == 0) {
      Add(PolicyCheck::kVersion, "the version is " + std::to_string(label.version) + ", not " +
                                     std::to_string(require_.versions.front()));
    }
  }

  const Require& require_;
  NameSearch metrics_;
  NameSearch labels_;
  std::vector<PolicyFinding>* unmet_ = nullptr;
};

// Why what was read of the archive is less than what there is to be read, if not for damage.
std::optional<Status> FailureOf(const ArchiveInfo& info) {
  if (info.failure) return info.failure;
  for (const Status& problem : info.problems) {
    if (archive::IsStorageFailure(problem) || problem.kind == Status::Kind::kBudget) {
      return problem;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<std::vector<PolicyFinding>>> FindUnmet(
    const std::vector<const Require*>& required, const archive::Storage& storage,
    const std::string& name, const archive::Listings* listings,
    const archive::MemoryBudget& memory) {
  try {
    std::vector<Held> held;
    held.reserve(required.size());
    for (const Require* one : required) held.emplace_back(*one);
    const ArchiveInfo info =
        GatherInfo(storage, name, listings, memory, [&](const archive::Metadata& metadata) {
          for (Held& one : held) one.See(metadata);
        });
    if (std::optional<Status> failure = FailureOf(info)) return tl::unexpected(*failure);
    std::vector<std::vector<PolicyFinding>> unmet;
    for (Held& one : held) one.Judge(info, &unmet.emplace_back());
    return unmet;
  } catch (const std::bad_alloc&) {
    return tl::unexpected(archive::BeyondBudget(name));
  }
}

}  // namespace pmproof::validator::policy
