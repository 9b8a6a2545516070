// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGAINST_LABEL_PAIR_H_
#define PMPROOF_VALIDATOR_AGAINST_LABEL_PAIR_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/archive/label_record.h"
#include "reference/core/metric.h"
#include "validator/against/difference_log.h"
#include "validator/against/in_force.h"
#include "validator/against/side.h"

namespace pmproof::validator::against {

// What labels are of (ARC-392, ARC-400).
struct LabelSubject {
  LabelClass label_class = LabelClass::kContext;
  std::uint32_t identifier = 0xffffffff;

  friend auto operator<=>(const LabelSubject&, const LabelSubject&) = default;
};

// The labels of one identifier on both sides. Label sets are the same that have the same JSON and
// the same entries, bytes for bytes; an empty set is none (ARC-397).
class LabelPair final : public InForce {
 public:
  using Records = std::vector<const archive::LabelRecord*>;  // in the order in which they are read

  // `name` is what people call the subject. `log` and the records outlive this.
  LabelPair(const LabelSubject& subject, std::string name, const Records& original,
            const Records& replacement, DifferenceLog& log);

  // Logs label sets that are there at any time on one side alone, and that nothing was said of.
  // After End().
  void LogNeverSeen();

 private:
  using Sets = std::map<std::int32_t, std::string_view>;  // by instance
  struct Step {
    Timestamp time;
    const archive::LabelRecord* record = nullptr;
  };
  struct State {
    std::vector<Step> steps;  // of one time the first in the file (ARC-400)
    std::size_t taken = 0;
    Sets sets;
  };

  static State StateOf(const Records& records);
  static Sets SetsOf(const archive::LabelRecord& record);
  void AdvanceTo(Timestamp time) override;
  void Advance(State& state, Timestamp time);
  void Log(std::int32_t instance, const Mismatch& mismatch, Timestamp first, Timestamp last);
  void LogOnlyIn(const State& has, const State& lacks, Change change);

  LabelSubject subject_;
  std::string name_;
  DifferenceLog& log_;
  State original_;
  State replacement_;
  std::vector<std::int32_t> changed_;
};

// The records of each subject of a side. `in_original` gives the numbers in the original of metrics
// and of instance domains.
template <typename InOriginal>
std::map<LabelSubject, LabelPair::Records> CollectLabels(const Side& side,
                                                         InOriginal&& in_original) {
  constexpr std::uint32_t kFlags = kLabelFlagCompound | kLabelFlagOptional;  // ARC-400
  std::map<LabelSubject, LabelPair::Records> labels;
  for (const SideMember& member : side.members()) {
    for (const archive::LabelRecord& record : member.opened.metadata.labels) {
      LabelSubject subject{
          static_cast<LabelClass>(static_cast<std::uint32_t>(record.label_class) & ~kFlags),
          record.identifier};
      if (subject.label_class == LabelClass::kContext) subject.identifier = 0xffffffff;
      if (subject.label_class == LabelClass::kItem) {
        subject.identifier = in_original(Pmid{record.identifier}).value;
      }
      if (subject.label_class == LabelClass::kIndom ||
          subject.label_class == LabelClass::kInstances) {
        subject.identifier = in_original(Indom{record.identifier}).value;
      }
      labels[subject].push_back(&record);
    }
  }
  return labels;
}

}  // namespace pmproof::validator::against

#endif  // PMPROOF_VALIDATOR_AGAINST_LABEL_PAIR_H_
