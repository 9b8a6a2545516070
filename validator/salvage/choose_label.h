// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SALVAGE_CHOOSE_LABEL_H_
#define PMPROOF_VALIDATOR_SALVAGE_CHOOSE_LABEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "reference/archive/archive_label.h"
#include "reference/archive/file_set.h"
#include "reference/archive/storage.h"
#include "reference/core/status.h"
#include "validator/catalogue/catalogue.h"
#include "validator/check/check.h"
#include "validator/salvage/loss_log.h"

namespace pmproof::validator {

// What the labels of a broken archive say.
struct ChosenLabel {
  // What is known of the label of one file.
  struct Member {
    // Where its records begin; nothing if it cannot be read or has wrong length words: then they
    // are to be searched for.
    std::optional<std::uint64_t> end;
    Clause clause;  // why not
    std::string message;
  };

  // That of the new archive. Nothing if no label can be read: then nothing can be saved.
  std::optional<archive::ArchiveLabel> label;
  std::string file;            // where it is from
  bool start_is_sound = true;  // its start can be the time of a record
  std::map<archive::Part, Member> members;
};

// Reads the label of each file and chooses that of the new archive: the first one without errors,
// of the volumes in their order, .index, .meta, among those of the version that most of them have.
// Where all have errors it is the first that can be read, and what is wrong in it is replaced: an
// empty or hostile host name by "unknown", feature bits by none. `log` gets the labels of volumes
// and of .meta that cannot be read, have errors, or contradict the one that is chosen.
//
// Errors: what is no damage, such as a file that the operating system does not let us read.
Result<ChosenLabel> ChooseLabel(const archive::Storage& storage, const archive::FileSet& files,
                                const Catalogue& catalogue, const CheckOptions& options,
                                LossLog& log);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SALVAGE_CHOOSE_LABEL_H_
