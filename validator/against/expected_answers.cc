// SPDX-License-Identifier: Apache-2.0
#include "validator/against/expected_answers.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "reference/core/pcp_version.h"
#include "reference/replay/emulation/pcp_context.h"
#include "reference/replay/emulation/record_log.h"
#include "reference/replay/profiles.h"
#include "reference/replay/replay.h"
#include "validator/replay/emulated_version.h"

namespace pmproof::validator::against {
namespace {

using replay::emulation::EmulatedFetch;
using replay::emulation::EmulatedMetric;
using replay::emulation::EmulatedValue;
using replay::emulation::PcpContext;
using replay::emulation::RecordLog;

constexpr std::int64_t kSecond = 1'000'000'000;

class EmulatedAnswers final : public ExpectedAnswers {
 public:
  EmulatedAnswers(std::shared_ptr<const RecordLog> log, archive::PcpVersion version,
                  std::string name, Timestamp first, std::int64_t interval)
      : log_(std::move(log)), context_(*log_, version), name_("PCP " + std::move(name)) {
    context_.SetMode(first, {.seconds = interval / kSecond,
                             .nanoseconds = static_cast<std::int32_t>(interval % kSecond)});
    all_.resize(log_->metrics().size());
    std::iota(all_.begin(), all_.end(), 0);
  }

  std::string name() const override { return name_; }

  Result<bool> Next(Timestamp, const Take& take) override {
    const EmulatedFetch fetch = context_.Fetch(all_);
    if (fetch.undefined) return false;
    for (const EmulatedMetric& metric : fetch.metrics) {
      for (const EmulatedValue& value : metric.values) {
        take(metric.pmid, value.instance, value.value);
      }
    }
    return true;
  }

 private:
  std::shared_ptr<const RecordLog> log_;
  PcpContext context_;
  std::vector<std::size_t> all_;
  std::string name_;
};

class ReferenceAnswers final : public ExpectedAnswers {
 public:
  ReferenceAnswers(const replay::ReplayArchive& archive, const std::vector<Pmid>& metrics,
                   std::size_t memory, const replay::Profile& profile)
      : context_(archive, {.metrics = metrics, .instances = {}, .memory = memory}, profile),
        name_("the reference with profile " + std::string(profile->name())) {}

  std::string name() const override { return name_; }

  Result<bool> Next(Timestamp time, const Take& take) override {
    const auto error = context_.Fetch({&time, 1}, [&](const replay::FetchAnswer& answer) {
      for (const replay::MetricAnswer& metric : answer.metrics) {
        for (const replay::InstanceAnswer& value : metric.values) {
          take(metric.pmid, value.instance, value.value);
        }
      }
    });
    if (error) return tl::unexpected(*error);
    return true;
  }

 private:
  replay::ReplayContext context_;
  std::string name_;
};

}  // namespace

Result<std::vector<MakeAnswers>> AnswersAbout(const replay::ReplayArchive& archive,
                                              const std::vector<Pmid>& metrics, Timestamp first,
                                              std::int64_t interval, std::size_t memory) {
  std::vector<MakeAnswers> answers;
  Result<std::unique_ptr<RecordLog>> log = RecordLog::Load(archive, metrics, memory);
  if (log) {
    const std::shared_ptr<const RecordLog> shared = *std::move(log);
    auto versions = EmulatedVersions();
    std::ranges::reverse(versions);  // of several that come as close, the latest is named
    for (const auto& [name, version] : versions) {
      answers.emplace_back([=, version = version, name = std::string(name)] {
        return std::make_unique<EmulatedAnswers>(shared, version, name, first, interval);
      });
    }
  } else if (log.error().kind != Status::Kind::kUnsupported) {
    return tl::unexpected(log.error());
  }
  for (const replay::Profile& profile :
       {replay::Profile(replay::Pcp632()), replay::Profile(replay::PcpLegacy())}) {
    answers.emplace_back([&archive, metrics, memory, profile] {
      return std::make_unique<ReferenceAnswers>(archive, metrics, memory, profile);
    });
  }
  return answers;
}

}  // namespace pmproof::validator::against
