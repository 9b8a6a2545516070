// SPDX-License-Identifier: Apache-2.0
#include "generators/story/composer.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "generators/story/composer_body.h"
#include "reference/core/error_code.h"

namespace pmproof::generators {
namespace {

using archive::ResultModel;
using archive::ValueSetModel;

constexpr std::uint32_t kLoggerPort = 4330;
constexpr std::uint64_t kPmcdPid = 4242;

// The records of one archive that a writer would make of a result, in bytes (ARC-601).
std::uint64_t EncodedSize(const ResultModel& result, int version) {
  std::uint64_t size = version == 3 ? 24 : 20;
  for (const ValueSetModel& set : result.sets) {
    size += set.values.empty() ? 8 : 12 + 8 * set.values.size();
    for (const archive::ValueModel& value : set.values) {
      const auto* block = std::get_if<archive::BlockModel>(&value.value);
      if (block != nullptr) size += (4 + block->payload.size() + 3) / 4 * 4;
    }
  }
  return size;
}

}  // namespace

Composer::Body::Body(Setup setup, ArchiveSink& sink)
    : setup_(MakeSound(std::move(setup))), sink_(&sink) {
  const Setup& sound = setup_.setup;
  now_ = sound.start;
  for (const DomainSetup& domain : sound.domains) domains_.emplace_back(domain);
  domain_texts_.resize(domains_.size());
  metrics_.resize(sound.metrics.size());
  std::vector<LabelText> context = {{"hostname", "\"" + sound.host + "\"", false}};
  context.insert(context.end(), sound.context_labels.begin(), sound.context_labels.end());
  labels_.emplace(SubjectOf(LabelClass::kContext, 0), LabelState(context));
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const MetricSetup& metric = sound.metrics[i];
    if (!setup_.metrics[i].usable) continue;
    metrics_[i].state = MetricState(setup_.metrics[i].desc.descriptor, metric.first);
    const auto add = [&](LabelClass level, const std::vector<LabelText>& labels) {
      labels_.emplace(SubjectOf(level, i), LabelState(labels));
    };
    add(LabelClass::kDomain, sound.agent_labels);
    add(LabelClass::kCluster, sound.cluster_labels);
    add(LabelClass::kItem, metric.labels);
    if (!metric.domain) continue;
    add(LabelClass::kIndom, sound.domains[*metric.domain].labels);
    add(LabelClass::kInstances, sound.domains[*metric.domain].instance_labels);
  }
  parameter_ = [this](std::size_t metric) -> const Descriptor* {
    const bool known = metric < metrics_.size() && setup_.metrics[metric].usable &&
                       setup_.setup.metrics[metric].parameter;
    if (!known || IsEvent(setup_.metrics[metric].desc.descriptor.type)) return nullptr;
    parameters_.push_back(metric);
    return &setup_.metrics[metric].desc.descriptor;
  };
}

bool Composer::Body::InRange(Timestamp time) const {
  // There is room for an epilogue, and for a mark after that.
  const std::int64_t behind = 2 * setup_.setup.interval;
  return setup_.setup.version == 3 ||
         (time + behind).seconds < std::numeric_limits<std::int32_t>::max();
}

DomainState* Composer::Body::DomainOf(std::size_t metric) {
  const std::optional<std::size_t> place = setup_.setup.metrics[metric].domain;
  return place ? &domains_[*place] : nullptr;
}

Failure Composer::Body::Put(const ResultModel& result) {
  if (failed_) return failed_;
  // A mark belongs to what is in front of it: no index entry could stand for a volume that it
  // begins (ARC-1923).
  if (next_volume_ && !result.sets.empty()) {
    sink_->NextVolume();
    next_volume_ = false;
  }
  started_ = true;
  ++results_;
  result_bytes_ += EncodedSize(result, setup_.setup.version);
  return failed_ = sink_->Take(result);
}

Failure Composer::Body::FlushMark() {
  if (!mark_) return failed_;
  const ResultModel mark{*mark_, {}};
  mark_.reset();
  back_allowed_ = false;
  return Put(mark);
}

Failure Composer::Body::Do(const Mark& mark) {
  const bool anywhere = mark.anywhere;
  if (!begun_ && !anywhere) {
    if (!setup_.setup.logger) return failed_;
    if (Begin()) return failed_;
  }
  if (last_mark_ && !anywhere) return failed_;
  const std::int64_t tick = setup_.setup.version == 2 ? 1000 : 1;
  const std::int64_t after =
      Whole(std::clamp<std::int64_t>(mark.after, tick, setup_.setup.interval));
  Timestamp time = started_ ? now_ + after : setup_.setup.start;
  if (last_mark_) time = std::min(std::max(time, *last_mark_ + tick), now_ + setup_.setup.interval);
  if (FlushMark()) return failed_;
  mark_ = time;
  last_mark_ = time;
  mark_anywhere_ = anywhere;
  // The first mark of an archive goes to its place at once: nothing can come in between.
  return started_ ? failed_ : FlushMark();
}

Failure Composer::Body::Do(const DomainChange& change) {
  if (change.domain < setup_.logger.domain && setup_.domain_usable[change.domain])
    domains_[change.domain].Change(change);
  return failed_;
}

Failure Composer::Body::Do(const LabelChange& change) {
  // The host name stays (ARC-1520).
  if (change.level == LabelClass::kContext && change.label.name == "hostname") return failed_;
  const bool context = change.level == LabelClass::kContext;
  if (!context && (change.metric >= metrics_.size() || !setup_.metrics[change.metric].usable))
    return failed_;
  const auto found = labels_.find(context ? SubjectOf(LabelClass::kContext, 0)
                                          : SubjectOf(change.level, change.metric));
  if (found == labels_.end()) return failed_;
  found->second.Change(change.label);
  if (found->second.due()) due_labels_.insert(found->first);
  return failed_;
}

Failure Composer::Body::Do(const VolumeSwitch&) {
  next_volume_ = started_;
  return failed_;
}

Failure Composer::Body::Do(const Redefinition& change) {
  if (change.metric < setup_.logger.first_metric && setup_.metrics[change.metric].usable)
    metrics_[change.metric].redefinition = change;
  return failed_;
}

// Before the first record that is not a mark.
Failure Composer::Body::Begin() {
  if (begun_ || failed_ || !setup_.setup.logger) return failed_;
  return FlushMark() ? failed_ : WriteLogue();
}

// ARC-590.
Failure Composer::Body::WriteLogue() {
  Sample logue;
  const auto add = [&](std::size_t place, std::uint64_t number, std::string text) {
    Value value;
    value.instance = setup_.setup.pid;
    value.number = number;
    value.text = std::move(text);
    logue.readings.push_back({setup_.logger.first_metric + place, {std::move(value)}, 0});
  };
  add(0, 0, setup_.setup.host);
  add(1, kLoggerPort, "");
  add(2, 0, "/var/log/pcp/pmlogger/" + setup_.setup.host + "/archive");
  add(3, kPmcdPid, "");
  add(4, 1, "");
  const Timestamp time = started_ ? now_ + setup_.setup.interval : setup_.setup.start;
  Read(logue, time);
  return WriteRead(time);
}

Failure Composer::Body::Do(const Sample& sample) {
  if (failed_ || Begin()) return failed_;
  const std::int64_t interval = setup_.setup.interval;
  const std::int64_t after = Whole(std::clamp<std::int64_t>(sample.after, 0, 9 * interval));
  Timestamp time = started_ ? now_ + (interval + after) : setup_.setup.start;
  const Timestamp earlier = now_ + -Whole(interval / 2);
  const bool back = sample.back && back_allowed_ && !mark_ && earlier >= setup_.setup.start;
  if (back) time = earlier;
  if (!InRange(time) || !Read(sample, time)) return failed_;
  const Timestamp latest = now_;
  if (FlushMark() || WriteRead(time)) return failed_;
  if (back) now_ = latest;
  back_allowed_ = !back;
  return failed_;
}

// Puts what a sample says into result_. True if there is anything.
bool Composer::Body::Read(const Sample& sample, Timestamp time) {
  ++records_;
  parameters_.clear();
  sources_.clear();
  std::size_t sets = 0;
  for (const Reading& reading : sample.readings) {
    if (reading.metric >= metrics_.size() || !setup_.metrics[reading.metric].usable) continue;
    const MetricSetup& role = setup_.setup.metrics[reading.metric];
    Metric& metric = metrics_[reading.metric];
    const DomainState* domain = DomainOf(reading.metric);
    if (role.parameter || metric.record == records_) continue;
    if (sample.back && (!metric.described || metric.redefinition || IsEvent(role.type) ||
                        (domain != nullptr && domain->due()))) {
      continue;
    }
    if (result_.sets.size() == sets) result_.sets.emplace_back();
    ValueSetModel& set = result_.sets[sets];
    // Before its first reading a metric has but one descriptor.
    if (metric.redefinition && metric.redefinition->type && metric.described)
      metric.state.SetType(*metric.redefinition->type);
    metric.state.Read(reading, domain, time, parameter_, &set);
    if (set.values.empty()) {
      if (!metric.described && !role.valueless) continue;
      const bool known = reading.status <= 0 && IsKnown(static_cast<ErrorCode>(reading.status));
      set.status = known ? reading.status : 0;
    }
    metric.record = records_;
    sources_.push_back(reading.metric);
    ++sets;
  }
  result_.sets.resize(sets);
  return sets != 0;
}

// Writes result_ with the metadata that it needs (ARC-620).
Failure Composer::Body::WriteRead(Timestamp time) {
  result_.time = time;
  const bool back = time < now_;
  if (!back && !due_labels_.empty() && results_ > 0) {
    if (WriteLabels(LabelClass::kContext, sources_.front(), time)) return failed_;
  }
  for (std::size_t i = 0; i < sources_.size() && !back; ++i) {
    if (WriteMetadata(sources_[i], result_.sets[i], time)) return failed_;
  }
  now_ = time;
  begun_ = true;
  last_mark_.reset();
  return Put(result_);
}

Failure Composer::Body::Finish() {
  if (failed_) return failed_;
  if (!begun_) {
    // An archive has a record at least (ARC-043).
    if (WriteLogue()) return failed_;
    if (!setup_.setup.logger) return failed_;
  }
  const std::optional<Timestamp> last =
      mark_anywhere_ ? std::exchange(mark_, std::nullopt) : std::nullopt;
  if (!setup_.setup.logger) {
    mark_.reset();
  } else if (FlushMark() || WriteLogue()) {
    return failed_;
  }
  if (last) {
    now_ = std::max(*last, now_ + (setup_.setup.version == 2 ? 1000 : 1));
    mark_ = now_;
    return FlushMark();
  }
  return failed_;
}

void Composer::Body::BeginArchive(ArchiveSink& sink, std::int64_t gap) {
  sink_ = &sink;
  now_ = now_ + Whole(std::max<std::int64_t>(gap, 0));
  setup_.setup.start = now_;
  for (DomainState& domain : domains_) domain.Forget();
  std::fill(domain_texts_.begin(), domain_texts_.end(), false);
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    metrics_[i].described = false;
    metrics_[i].redefinition.reset();
    metrics_[i].state.SetType(setup_.metrics[i].desc.descriptor.type);
  }
  for (auto& [subject, labels] : labels_) labels.SetWritten(false);
  begun_ = started_ = next_volume_ = back_allowed_ = false;
  mark_.reset();
  last_mark_.reset();
  mark_anywhere_ = false;
  results_ = result_bytes_ = 0;
}

Composer::Composer(Setup setup, ArchiveSink& sink)
    : body_(std::make_unique<Body>(std::move(setup), sink)) {}
Composer::~Composer() = default;

Failure Composer::Take(const Step& step) { return body_->Take(step); }
Failure Composer::Take(const Sample& sample) { return body_->Do(sample); }
Failure Composer::Finish() { return body_->Finish(); }
void Composer::BeginArchive(ArchiveSink& sink, std::int64_t gap) { body_->BeginArchive(sink, gap); }

archive::LabelModel Composer::Label() const {
  const Setup& setup = body_->cast().setup;
  archive::LabelModel label;
  label.version = setup.version;
  label.pid = setup.pid;
  label.start = setup.start;
  label.host = setup.host;
  label.timezone = setup.timezone;
  label.zoneinfo = setup.zoneinfo;
  return label;
}

const std::vector<std::int32_t>& Composer::Instances(std::size_t domain) const {
  return body_->Instances(domain);
}

Timestamp Composer::now() const { return body_->now(); }
std::uint64_t Composer::results() const { return body_->results(); }
std::uint64_t Composer::result_bytes() const { return body_->result_bytes(); }

}  // namespace pmproof::generators
