// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_LETTING_GO_H_
#define PMPROOF_VALIDATOR_CHECK_LETTING_GO_H_

#include <cstdint>
#include <deque>

#include "reference/archive/storage.h"
#include "validator/check/work_pool.h"

namespace pmproof::validator {

// Has all threads of the pool let go of a file that was looked at whole: that takes long for a
// large one (6 ms for 140 MB), and one thread alone would do it when the file is closed. The file
// may still be looked at. A resource: not copied.
class LettingGo {
 public:
  // The others begin, if there are any and the file is large. Both outlive this.
  LettingGo(WorkPool& pool, const archive::StoredFile& file);
  LettingGo(const LettingGo&) = delete;
  LettingGo& operator=(const LettingGo&) = delete;
  // This thread helps.
  ~LettingGo();

 private:
  class Part;

  WorkPool& pool_;
  std::deque<Part> parts_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_LETTING_GO_H_
