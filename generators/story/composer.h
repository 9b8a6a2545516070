// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_STORY_COMPOSER_H_
#define PMPROOF_GENERATORS_STORY_COMPOSER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "generators/archive_image.h"
#include "generators/archive_sink.h"
#include "generators/story/story.h"
#include "reference/archive/index_builder.h"
#include "reference/archive/model.h"
#include "reference/core/status.h"

namespace pmproof::generators {

// Turns a story into the records of an archive, step by step and in the order of pmlogger
// (ARC-620..623): the metadata that a result needs, with its time, and then the result. What makes
// no sense is left out (a value of an instance that is not there, a second metric of the same name,
// a domain that would become empty), so that the archive of any story is sound: `check` has nothing
// to say about it, but for what the members of the setup and the steps themselves are said to bring
// on, and ARC-2008 and ARC-2009 if the setup has no logger.
//
// Memory is that of what is in force, however long the story. Errors are those of the sink; after
// one nothing more is taken.
class Composer {
 public:
  // `sink` outlives the composer.
  Composer(Setup setup, ArchiveSink& sink);
  ~Composer();
  Composer(const Composer&) = delete;
  Composer& operator=(const Composer&) = delete;

  std::optional<Status> Take(const Step& step);
  std::optional<Status> Take(const Sample& sample);

  // Writes the epilogue, if the setup has a logger. An archive without any record gets one.
  std::optional<Status> Finish();

  // The story goes on in another archive, whose first record is `gap` nanoseconds after the last
  // one: what is in force stays so, and is written again. After Finish().
  void BeginArchive(ArchiveSink& sink, std::int64_t gap);

  // The label of the archive's files; its start is the time of the first record.
  archive::LabelModel Label() const;

  // The instances in force, ascending. For a domain that is not in the setup: none.
  const std::vector<std::int32_t>& Instances(std::size_t domain) const;

  Timestamp now() const;               // of the last sample; after Finish(): of the last record
  std::uint64_t results() const;       // in this archive, marks and logues too
  std::uint64_t result_bytes() const;  // of these, as they are encoded

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

// Gathers an archive in memory, with the index that the archive writer makes.
class PlanSink final : public ArchiveSink {
 public:
  explicit PlanSink(int version, archive::IndexPolicy policy = {});

  std::optional<Status> Take(const archive::MetaRecordModel& record) override;
  std::optional<Status> Take(const archive::ResultModel& result) override;
  void NextVolume() override;

  // The archive, complete. The start in its label is the time of the first result (ARC-106).
  ArchivePlan Finish(archive::LabelModel label) &&;

 private:
  void Add(const std::optional<archive::IndexEntryModel>& entry);

  int version_;
  ArchivePlan plan_;
  Timestamp start_;
  archive::IndexBuilder builder_;
  archive::Part volume_ = 0;
  bool next_volume_ = false;
  std::uint64_t meta_end_ = 0;
  std::uint64_t data_end_ = 0;                    // of the volume that is being written
  std::map<std::uint64_t, std::size_t> meta_at_;  // ordinals by offset
  std::map<std::uint64_t, std::size_t> data_at_;  // in that volume
};

// The whole archive of a story. A story always makes one.
ArchivePlan Compose(const Story& story, archive::IndexPolicy policy = {});

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_STORY_COMPOSER_H_
