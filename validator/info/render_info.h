// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_INFO_RENDER_INFO_H_
#define PMPROOF_VALIDATOR_INFO_RENDER_INFO_H_

#include <ostream>
#include <vector>

#include "reference/core/status.h"
#include "validator/info/info.h"
#include "validator/text/terminal.h"

// What `info` writes. Texts from archives may hold any bytes; what is written is well-formed.

namespace pmproof::validator {

struct InfoReport {
  std::vector<ArchiveInfo> archives;
  std::vector<Status> errors;  // arguments that named nothing, unreadable directories
};

// A paragraph for each archive, for people. All times are UTC, as ISO 8601 and as seconds.
void RenderInfoText(const InfoReport& report, const Screen& screen, std::ostream& out);

// Schema pmproof-info/1 (schema/info.schema.json).
void RenderInfoJson(const InfoReport& report, std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_INFO_RENDER_INFO_H_
