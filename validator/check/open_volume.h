// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_OPEN_VOLUME_H_
#define PMPROOF_VALIDATOR_CHECK_OPEN_VOLUME_H_

#include <memory>

#include "reference/archive/source.h"
#include "reference/archive/storage.h"

namespace pmproof::validator {

// A data volume that is read once more.
struct OpenVolume {
  std::unique_ptr<archive::StoredFile> stored;
  std::unique_ptr<archive::Source> source;  // after the label; null if it cannot be read at all
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_OPEN_VOLUME_H_
