// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_DRAW_PICTURE_H_
#define PMPROOF_VALIDATOR_CHECK_DRAW_PICTURE_H_

#include <functional>
#include <string>
#include <vector>

#include "reference/archive/layout.h"
#include "validator/check/open_volume.h"
#include "validator/check/report/report.h"

namespace pmproof::validator {

// A file of the archive, opened once more at its first byte; no source if it cannot be read.
struct DrawnFile {
  archive::Part part = 0;
  std::string name;
  int version = 0;            // of its label; 0: it has none that can be read
  std::size_t label_end = 0;  // where its records begin
  std::function<OpenVolume()> open;
};

// Reads all files once more, from front to back, one at a time. Memory is that of the picture and
// of a source. What cannot be read is left out.
Picture DrawPicture(const std::vector<DrawnFile>& files, const std::vector<Finding>& findings);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_DRAW_PICTURE_H_
