// SPDX-License-Identifier: Apache-2.0
#include "reference/core/identifiers.h"

namespace pmproof {

std::string ToText(Pmid pmid) {
  if (pmid.IsNull()) return "PM_ID_NULL";
  if (pmid.domain() == 511 && pmid.item() == 0) return std::to_string(pmid.cluster()) + ".*.*";
  return std::to_string(pmid.domain()) + "." + std::to_string(pmid.cluster()) + "." +
         std::to_string(pmid.item());
}

std::string ToText(Indom indom) {
  if (indom.IsNull()) return "PM_INDOM_NULL";
  return std::to_string(indom.domain()) + "." + std::to_string(indom.serial());
}

}  // namespace pmproof
