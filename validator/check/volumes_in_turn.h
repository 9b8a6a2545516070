// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_VOLUMES_IN_TURN_H_
#define PMPROOF_VALIDATOR_CHECK_VOLUMES_IN_TURN_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "reference/archive/file_set.h"
#include "validator/check/checked_files.h"
#include "validator/check/data_walk.h"

namespace pmproof::validator {

// The data volumes of an archive, open while they are walked over: one, and the one after it where
// threads may begin with that. A resource: not copied.
class VolumesInTurn {
 public:
  // Volumes of less than `least` bytes are not opened before their turn. The others outlive this.
  VolumesInTurn(CheckedFiles& files, const archive::FileSet& set, std::uint64_t least);
  VolumesInTurn(const VolumesInTurn&) = delete;
  VolumesInTurn& operator=(const VolumesInTurn&) = delete;

  // Opens a volume, in the order of their numbers. It stays open until the next call. Null if it
  // cannot be read; that it cannot be opened is noted.
  const DataWalk::Volume* Open(archive::Part part);

  // Opens the volume that comes next before its turn. It stays open until the end of its turn. Null
  // if it is short or compressed, or nothing of it can be read.
  const DataWalk::Volume* OpenNext();

 private:
  struct Opened {
    CheckedFiles::OpenFile file;
    DataWalk::Volume volume;
  };

  // That comes after this one, if it is to be opened before its turn.
  std::optional<archive::Part> Next(archive::Part part) const;
  void PassLabel(archive::Part part, Opened& opened) const;

  CheckedFiles& files_;
  const archive::FileSet& set_;
  const std::uint64_t least_;
  std::unique_ptr<Opened> now_;
  std::unique_ptr<Opened> next_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_VOLUMES_IN_TURN_H_
