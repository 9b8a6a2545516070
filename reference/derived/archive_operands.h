// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_ARCHIVE_OPERANDS_H_
#define PMPROOF_REFERENCE_DERIVED_ARCHIVE_OPERANDS_H_

#include <string_view>
#include <utility>

#include "reference/derived/bind.h"
#include "reference/derived/equivalent_indoms.h"
#include "reference/replay/replay_archive.h"

namespace pmproof::derived {

// The metrics of an archive as operands. Those that a logger derived are among them; one that has
// the identifier of a derived metric itself counts as such (DER-702).
class ArchiveOperands final : public OperandSource {
 public:
  // `archive` must outlive this.
  explicit ArchiveOperands(const replay::ReplayArchive& archive,
                           EquivalentIndoms equivalent = EquivalentIndoms::Default())
      : archive_(archive), equivalent_(std::move(equivalent)) {}

  OperandAnswer Find(std::string_view name) const override;
  bool Equivalent(Indom left, Indom right) const override {
    return equivalent_.Contains(left, right);
  }

 private:
  const replay::ReplayArchive& archive_;
  const EquivalentIndoms equivalent_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_ARCHIVE_OPERANDS_H_
