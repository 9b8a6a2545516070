// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_RECORD_WALK_H_
#define PMPROOF_VALIDATOR_SALVAGE_RECORD_WALK_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "reference/archive/data_record.h"
#include "reference/archive/file_set.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/check/check.h"
#include "validator/salvage/choose_label.h"
#include "validator/salvage/index_hints.h"
#include "validator/salvage/loss_log.h"
#include "validator/salvage/resync_reader.h"

namespace pmproof::validator {

// Goes over the data records of all volumes of a broken archive, in their order. What cannot be
// framed or decoded, has an impossible time, or is in a volume that is missing goes to the log.
class RecordWalk {
 public:
  struct Ways {
    // Takes a record that decodes and whose time is possible. Returns why the walk is to end.
    std::function<std::optional<Status>(const archive::DataRecord& record)> record;
    // Something is lost between the record before and the next.
    std::function<void()> hole;
  };

  // All outlive this. The label was chosen.
  RecordWalk(const archive::Storage& storage, const archive::FileSet& files,
             const ChosenLabel& chosen, const IndexHints& hints, const CheckOptions& options,
             LossLog& log, Ways ways)
      : storage_(storage),
        files_(files),
        chosen_(chosen),
        hints_(hints),
        options_(options),
        log_(log),
        ways_(std::move(ways)),
        version_(chosen.label->version) {}

  // Stops at the first error that is no damage.
  std::optional<Status> Run();

 private:
  void LoseVolumes(archive::Part first, std::int64_t end, Clause clause);
  std::optional<Status> Volume(archive::Part part, const archive::ArchiveFile& file);
  void FollowHint(archive::Part part, std::uint64_t end);
  bool Accept(const archive::RecordView& record, bool followed) const;
  std::optional<Status> Record(const archive::RecordView& record);
  void Lose(const archive::RecordView& record, Loss::Kind kind, Clause clause, std::string message);
  void LoseStretch(archive::Part part, const DamagedStretch& stretch);

  const archive::Storage& storage_;
  const archive::FileSet& files_;
  const ChosenLabel& chosen_;
  const IndexHints& hints_;
  const CheckOptions& options_;
  LossLog& log_;
  Ways ways_;
  int version_;
  std::string name_;               // of the volume
  std::optional<Timestamp> last_;  // the latest time in it
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_RECORD_WALK_H_
