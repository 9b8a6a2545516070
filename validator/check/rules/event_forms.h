// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_RULES_EVENT_FORMS_H_
#define PMPROOF_VALIDATOR_CHECK_RULES_EVENT_FORMS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/reporter.h"
#include "reference/core/bytes.h"
#include "reference/core/clause.h"
#include "validator/check/rules/event_rules.h"
#include "validator/check/rules/metric_table.h"
#include "validator/check/rules/record_loops.h"

namespace pmproof::validator {

// Event arrays of which all is known but times and the values of parameters: how many records and
// parameters there are, flags, metrics, types and lengths. Most arrays have the form of an earlier
// one: they are compared with it as a whole, and only their times and texts are looked at.
//
// Memory is at most 4 MB.
class EventForms {
 public:
  // True if the array has the form of one that was learned, and neither its times nor its texts
  // break a rule (ARC-1820, 1826, 1834, 1835). What there is to say of its form has been counted
  // then. False, and nothing is done, otherwise. The arguments are as those of CheckEventArray().
  bool Take(const archive::DataRecord& record, const archive::ValueBlock& block,
            std::size_t payload_offset, bool time_known, archive::Reporter& reporter);

  // After CheckEventArray() of an array that was not taken, with the same parameters. Forms are
  // learned the more rarely the less they are of use.
  void Learn(const archive::DataRecord& record, const archive::ValueBlock& block,
             std::size_t payload_offset, const MetricTable& metrics, EventParameters* parameters);

 private:
  // Of one rule, in the order of their places, which are offsets in the payload.
  struct Violations {
    struct Place {
      std::uint32_t begin = 0;
      std::uint32_t length = 0;
    };
    Clause rule;
    std::uint32_t count = 0;
    Place first;
    Place last;
  };

  struct Text {
    std::uint32_t begin = 0;  // in the payload
    std::uint32_t length = 0;
  };

  struct Form {
    bool highres = false;
    std::vector<std::uint32_t> words;  // an array of this form, as stored; empty: of none
    std::vector<std::uint32_t> mask;   // of each word: the bits that do not change
    std::vector<std::uint32_t> times;  // where the events begin in the payload
    std::vector<Text> texts;
    Violations violations;
  };

  struct Slot {
    Form form;
    std::uint32_t waited = 0;  // arrays that did not have the form, since it had been of use
    std::uint32_t patience = 1;
  };

  class Notes;

  static std::size_t SlotOf(Bytes payload, bool highres);
  static Slot& Victim(Slot& first, Slot& second);
  bool Has(const Form& form, Bytes payload, bool highres) const;
  static bool FormOf(const archive::DataRecord& record, const archive::ValueBlock& block,
                     std::size_t payload_offset, const MetricTable& metrics,
                     EventParameters* parameters, Form* form);

  const RecordLoops* loops_ = &FastestLoops();
  std::vector<Slot> slots_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_RULES_EVENT_FORMS_H_
