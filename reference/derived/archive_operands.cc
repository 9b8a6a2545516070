// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/archive_operands.h"

#include <optional>

namespace pmproof::derived {
namespace {

// DER-702, 1301, 1302.
bool IsDerived(Pmid pmid) {
  constexpr std::uint32_t kDomain = 511;
  constexpr std::uint32_t kLogged = 2048;
  return pmid.domain() == kDomain && (pmid.cluster() & kLogged) == 0 && pmid.item() != 0;
}

}  // namespace

OperandAnswer ArchiveOperands::Find(std::string_view name) const {
  const std::optional<Pmid> pmid = archive_.Find(name);
  if (!pmid) return {};
  const Descriptor& descriptor = archive_.metrics().at(*pmid).descriptor;
  const bool derived = IsDerived(descriptor.pmid);
  return {derived ? OperandAnswer::Kind::kDerived : OperandAnswer::Kind::kMetric, descriptor};
}

}  // namespace pmproof::derived
