// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_STORY_COMPOSER_BODY_H_
#define PMPROOF_GENERATORS_STORY_COMPOSER_BODY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/story/composer.h"
#include "generators/story/domain_state.h"
#include "generators/story/label_state.h"
#include "generators/story/metric_state.h"
#include "generators/story/sound_setup.h"

// What the composer is made of: composer.cc goes through the steps, composer_metadata.cc writes the
// metadata that a result needs.

namespace pmproof::generators {

using Failure = std::optional<Status>;

class Composer::Body {
 public:
  Body(Setup setup, ArchiveSink& sink);

  Failure Take(const Step& step) {
    return std::visit([this](const auto& what) { return Do(what); }, step);
  }
  Failure Do(const Sample& sample);
  Failure Finish();
  void BeginArchive(ArchiveSink& sink, std::int64_t gap);

  const SoundSetup& cast() const { return setup_; }
  const std::vector<std::int32_t>& Instances(std::size_t domain) const {
    return domain < setup_.logger.domain ? domains_[domain].instances() : none_;
  }
  Timestamp now() const { return now_; }
  std::uint64_t results() const { return results_; }
  std::uint64_t result_bytes() const { return result_bytes_; }

 private:
  // One of the things that labels are about: its class and number.
  using Subject = std::pair<LabelClass, std::uint32_t>;
  struct Metric {
    MetricState state;
    bool described = false;    // its descriptor is written
    std::uint64_t record = 0;  // the last one that it was in, counted from 1
    std::optional<Redefinition> redefinition;
  };

  Failure Do(const Mark& mark);
  Failure Do(const DomainChange& change);
  Failure Do(const LabelChange& change);
  Failure Do(const VolumeSwitch&);
  Failure Do(const Redefinition& change);

  std::int64_t Whole(std::int64_t nanoseconds) const {
    return setup_.setup.version == 2 ? nanoseconds - nanoseconds % 1000 : nanoseconds;
  }
  bool InRange(Timestamp time) const;
  Subject SubjectOf(LabelClass level, std::size_t metric) const;
  DomainState* DomainOf(std::size_t metric);
  Failure FlushMark();
  Failure Begin();
  Failure WriteLogue();
  bool Read(const Sample& sample, Timestamp time);
  Failure WriteRead(Timestamp time);
  Failure WriteMetadata(std::size_t metric, const archive::ValueSetModel& set, Timestamp time);
  Failure Describe(std::size_t metric, Timestamp time, bool with_instances);
  Failure WriteParameters(const archive::ValueSetModel& set, Timestamp time);
  Failure WriteLabels(LabelClass level, std::size_t metric, Timestamp time);
  Failure WriteText(TextType type, std::uint32_t identifier, const std::string& text);
  Failure Put(const archive::MetaRecordModel& record) {
    return failed_ ? failed_ : failed_ = sink_->Take(record);
  }
  Failure Put(const archive::ResultModel& result);

  SoundSetup setup_;
  ArchiveSink* sink_;
  Failure failed_;
  std::vector<DomainState> domains_;
  std::vector<std::int32_t> none_;
  std::vector<bool> domain_texts_;  // written
  std::vector<Metric> metrics_;
  std::map<Subject, LabelState> labels_;
  std::set<Subject> due_labels_;         // that have changed since they were written
  std::vector<std::size_t> parameters_;  // of the events in the record that is being made
  ParameterOf parameter_;

  archive::ResultModel result_;
  std::vector<std::size_t> sources_;  // the metric of each value set of result_
  Timestamp now_;
  bool begun_ = false;    // a record other than a mark is written
  bool started_ = false;  // any record is
  bool next_volume_ = false;
  bool back_allowed_ = false;      // the record before is a sample
  std::optional<Timestamp> mark_;  // held back until it is clear what follows
  bool mark_anywhere_ = false;
  std::optional<Timestamp> last_mark_;  // since the last sample
  std::uint64_t records_ = 0;           // samples that were made, in all archives
  std::uint64_t results_ = 0;
  std::uint64_t result_bytes_ = 0;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_STORY_COMPOSER_BODY_H_
