// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_STORY_LABEL_STATE_H_
#define PMPROOF_GENERATORS_STORY_LABEL_STATE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generators/story/story.h"
#include "reference/archive/model.h"

namespace pmproof::generators {

// The labels in force of one thing (a domain, a metric, the instances of a domain, ...) and whether
// they are written already. A value.
class LabelState {
 public:
  LabelState() = default;
  // Labels that are none of PCP's (ARC-1512), or of a name that is taken, are left out.
  explicit LabelState(const std::vector<LabelText>& labels);

  // Sets a label, or takes it away if it has no value. Nothing happens where there were no labels
  // at the beginning.
  void Change(const LabelText& label);

  bool due() const { return exists_ && !written_; }
  bool exists() const { return exists_; }
  void SetWritten(bool written) { written_ = written; }

  // The set as it is stored (ARC-391, ARC-393..396), `#` in the values replaced by `number`.
  archive::LabelSetModel SetOf(LabelClass label_class, std::int64_t number,
                               std::int32_t instance) const;

 private:
  bool Fits(const std::string& name) const;

  struct Entry {
    std::string value;
    bool optional = false;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::map<std::string, Entry> labels_;  // by dotted name
  bool exists_ = false;
  bool written_ = false;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_STORY_LABEL_STATE_H_
