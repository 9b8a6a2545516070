// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_LABEL_SET_H_
#define PMPROOF_REFERENCE_CORE_LABEL_SET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/core/metric.h"
#include "reference/core/pcp_version.h"

// Label sets as PCP makes them of JSON, and what they are together (MET-901..922).

namespace pmproof {

// Why a label set is refused: the negated errno numbers of MET-902 and MET-904.
inline constexpr ErrorCode kBadLabels = static_cast<ErrorCode>(-22);     // EINVAL
inline constexpr ErrorCode kTooManyLabels = static_cast<ErrorCode>(-7);  // E2BIG

inline constexpr std::size_t kMaxLabelJson = 65535;  // bytes (MET-907)
inline constexpr std::size_t kMaxLabelName = 254;    // MET-902

// 1 to 254 letters, digits and underscores; before 7.2 a letter at their beginning (MET-902).
bool IsLabelName(std::string_view name, PcpVersion version);

// One entry of the index of a label set (MET-901). Offsets count from the start of the set's JSON:
// of the innermost name without its quotes, and of the complete value. (An array with blanks has an
// offset that is too small by their number, and a length that is as much too large: MET-906.)
struct IndexedLabel {
  std::size_t name_offset = 0;
  std::size_t name_length = 0;
  std::size_t value_offset = 0;
  std::size_t value_length = 0;
  bool compound = false;  // flag 64
  std::string path;  // the name; of a nested label the outermost, a dot, the innermost (MET-905)
};

// The stored form of a label set: the JSON without blanks in its original order, and the index in
// the order of the paths. Empty where there are no labels (MET-904).
struct StoredLabels {
  std::string json;
  std::vector<IndexedLabel> index;

  std::string_view Value(const IndexedLabel& label) const {
    return std::string_view(json).substr(label.value_offset, label.value_length);
  }
};

// Makes the stored form of a JSON text. kBadLabels or kTooManyLabels: PCP refuses it (MET-902,
// MET-904, MET-907). A text that ends too early is not an error but has no labels, as arrays and
// single values have none (MET-904).
tl::expected<StoredLabels, ErrorCode> ParseLabelSet(std::string_view json, PcpVersion version);

// The label sets of a value, from low to high precedence (MET-921), as one flat object (MET-922);
// nothing, for a set that does not exist, is passed over. Empty where there are no labels.
tl::expected<std::string, ErrorCode> MergeLabelSets(
    std::span<const std::optional<std::string_view>> sets, PcpVersion version);

// The classes in the order in which MergeLabelSets() wants their sets (MET-921).
inline constexpr LabelClass kLabelPrecedence[] = {LabelClass::kContext, LabelClass::kDomain,
                                                  LabelClass::kIndom,   LabelClass::kCluster,
                                                  LabelClass::kItem,    LabelClass::kInstances};

// "context", "instances,compound,optional" (MET-908).
std::string LabelFlagsText(std::uint32_t flags);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_LABEL_SET_H_
