// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_VOLUMES_IN_TURN_H_
#define PMPROOF_VALIDATOR_CHECK_VOLUMES_IN_TURN_H_

#include <cstdint>
#include <memory>

#include "reference/archive/file_set.h"
#include "validator/check/checked_files.h"
#include "validator/check/data_walk.h"

namespace pmproof::validator {

// The data volumes of an archive, open while they are walked over: one, and the one after it where
// threads may begin with that. A resource: not copied.
class VolumesInTurn {
 public:
  // Both outlive this.
  VolumesInTurn(CheckedFiles& files, const archive::FileSet& set);
  VolumesInTurn(const VolumesInTurn&) = delete;
  VolumesInTurn& operator=(const VolumesInTurn&) = delete;

  // Opens a volume, in the order of their numbers. It stays open until the next call. Null if it
  // cannot be read; that it cannot be opened is noted.
  const DataWalk::Volume* Open(archive::Part part);

  // Opens the volume that comes next before its turn. It stays open until the end of its turn. Null
  // if it has less than `least` bytes or is compressed, or nothing of it can be read.
  const DataWalk::Volume* OpenNext(std::uint64_t least);

 private:
  struct Opened {
    CheckedFiles::OpenFile file;
    DataWalk::Volume volume;
  };

  bool IsPlain(archive::Part part) const;
  void PassLabel(archive::Part part, Opened& opened);

  CheckedFiles& files_;
  const archive::FileSet& set_;
  std::uint64_t behind_ = 0;  // bytes of the plain volumes that have not been opened
  std::unique_ptr<Opened> now_;
  std::unique_ptr<Opened> next_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_VOLUMES_IN_TURN_H_
