// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_RECORD_H_
#define PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_RECORD_H_

#include <functional>
#include <utility>

#include "reference/archive/encode.h"
#include "reference/archive/layout.h"
#include "validator/synthesis/shrink_draft.h"
#include "validator/synthesis/shrink_list.h"

namespace pmproof::validator {

// What takes the place of a chunk if the finding stays.
struct Attempt {
  std::function<bool(archive::Buffer bytes)> take;  // whether it did
  Over over;

  bool operator()(archive::Buffer bytes) const { return take(std::move(bytes)); }
};

// Leaves out what can be left out inside one chunk: of a record that can be decoded its value sets,
// values, names, instances, labels, and parts of texts; of any other its bytes. `part` and
// `version` are those of the file; `last`: no record follows.
void ShrinkChunk(const Chunk& chunk, archive::Part part, int version, bool last,
                 const Attempt& attempt);

// Sets the numbers of a data record to 0, all or those of a value set.
void SimplifyRecord(const Chunk& chunk, int version, const Attempt& attempt);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_SYNTHESIS_SHRINK_RECORD_H_
