// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/event_forms.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "reference/core/event_array.h"
#include "reference/core/plain_bytes.h"
#include "reference/core/timestamp.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::Location;
using archive::ValueBlock;

constexpr std::size_t kSlots = 256;
constexpr std::size_t kLargest = 4096;  // of the arrays that are learned, in bytes
constexpr std::uint32_t kMostPatience = 256;

// Where the flags of an event are, after its time (ARC-261, ARC-272).
constexpr std::uint32_t FlagsAt(bool highres) { return highres ? 16 : 8; }

// Rules on the form of an array: whether they are broken is known from the words that a form has.
constexpr std::array kOnForm = {"ARC-1817"_clause, "ARC-1818"_clause, "ARC-1819"_clause,
                                "ARC-1821"_clause, "ARC-1823"_clause};
// Rules on times and texts: they are looked at in each array.
constexpr std::array kOnContent = {"ARC-1820"_clause, "ARC-1826"_clause, "ARC-1834"_clause,
                                   "ARC-1835"_clause};

template <bool kHighres>
bool AreGoodTimes(const std::uint8_t* payload, std::span<const std::uint32_t> offsets,
                  const Timestamp* record) {
  std::optional<Timestamp> previous;
  for (const std::uint32_t offset : offsets) {
    const std::uint8_t* const at = payload + offset;
    std::int64_t seconds = 0;
    std::int64_t fraction = 0;
    if constexpr (kHighres) {
      seconds = LoadI64(at);
      fraction = LoadI64(at + 8);
      if (fraction < 0 || fraction >= 1'000'000'000) return false;
    } else {
      seconds = LoadI32(at);
      fraction = LoadI32(at + 4);
      if (fraction < 0 || fraction >= 1'000'000) return false;
      fraction *= 1000;
    }
    const Timestamp time{seconds, static_cast<std::int32_t>(fraction)};
    if ((previous && time < *previous) || (record != nullptr && IsTooLate(time, *record)))
      return false;
    previous = time;
  }
  return true;
}

}  // namespace

// Notes what is reported of one array.
class EventForms::Notes final : public archive::Reporter {
 public:
  Notes(std::uint64_t payload_at, Violations* violations)
      : payload_at_(payload_at), violations_(*violations) {}

  // False if there is more to say of the array than what its form shows, or of several rules.
  bool suits() const { return suits_; }

 protected:
  bool Count(Clause rule, const Location& where, archive::Gravity gravity) override {
    if (std::ranges::find(kOnContent, rule) != kOnContent.end()) return false;
    suits_ &= std::ranges::find(kOnForm, rule) != kOnForm.end() &&
              gravity == archive::Gravity::kAsCatalogued;
    const Violations::Place place{static_cast<std::uint32_t>(where.offset - payload_at_),
                                  static_cast<std::uint32_t>(where.length)};
    if (violations_.count == 0)
      violations_ = {.rule = rule, .count = 0, .first = place, .last = {}};
    suits_ &= violations_.rule == rule;
    ++violations_.count;
    violations_.last = place;
    return false;
  }
  void Keep(Clause, const Location&, archive::Gravity, archive::Details) override {}

 private:
  const std::uint64_t payload_at_;  // in the file
  Violations& violations_;
  bool suits_ = true;
};

// By what tells most forms apart: length, number of events, and the beginning of the first one. A
// form may be in the slot beside it instead.
std::size_t EventForms::SlotOf(Bytes payload, bool highres) {
  std::uint64_t key = payload.size() << 1 | (highres ? 1 : 0);
  const std::size_t flags = 4 + FlagsAt(highres);
  if (payload.size() >= 4) key += std::uint64_t{LoadU32(payload.data())} << 16;
  if (payload.size() >= flags + 8) key ^= LoadU64(payload.data() + flags) << 24;
  return key * 0x9e3779b97f4a7c15 >> 56;
}

// The one of two slots to learn in: the one that is free, or was not of use for longer.
EventForms::Slot& EventForms::Victim(Slot& first, Slot& second) {
  if (first.form.words.empty()) return first;
  return second.form.words.empty() || second.waited > first.waited ? second : first;
}

bool EventForms::Has(const Form& form, Bytes payload, bool highres) const {
  return !form.words.empty() && 4 * form.words.size() == payload.size() &&
         form.highres == highres &&
         !loops_->differ(payload.data(), form.words.data(), form.mask.data(), form.words.size());
}

bool EventForms::Take(const DataRecord& record, const ValueBlock& block, std::size_t payload_offset,
                      bool time_known, archive::Reporter& reporter) {
  if (slots_.empty()) return false;
  const bool highres = block.type == MetricType::kHighresEvent;
  const Bytes payload = block.payload;
  std::size_t at = SlotOf(payload, highres);
  if (!Has(slots_[at].form, payload, highres)) {
    at ^= 1;
    if (!Has(slots_[at].form, payload, highres)) return false;
  }
  Slot& slot = slots_[at];
  const Form& form = slot.form;
  if (!form.times.empty()) {
    const Timestamp* const time = time_known ? &record.time : nullptr;
    if (!(highres ? AreGoodTimes<true>(payload.data(), form.times, time)
                  : AreGoodTimes<false>(payload.data(), form.times, time))) {
      return false;
    }
  }
  for (const Text& text : form.texts) {
    const std::string_view stored = AsText(payload.subspan(text.begin, text.length));
    if (!IsPlain(stored) && !IsPlain(UpToNul(stored))) return false;
  }
  const auto place = [&](Violations::Place in_payload) {
    return record.record.At(payload_offset + in_payload.begin, in_payload.length);
  };
  const Violations& violations = form.violations;
  if (violations.count > 0 &&
      !reporter.CountOnly(violations.rule, violations.count, place(violations.first),
                          place(violations.last))) {
    return false;
  }
  slot.waited = 0;
  slot.patience = 1;
  return true;
}

void EventForms::Learn(const DataRecord& record, const ValueBlock& block,
                       std::size_t payload_offset, const MetricTable& metrics,
                       EventParameters* parameters) {
  const std::size_t size = block.payload.size();
  if (size < 4 || size > kLargest || size % 4 != 0) return;
  if (slots_.empty()) slots_.resize(kSlots);
  const std::size_t at = SlotOf(block.payload, block.type == MetricType::kHighresEvent);
  ++slots_[at].waited;
  ++slots_[at ^ 1].waited;
  Slot& slot = Victim(slots_[at], slots_[at ^ 1]);
  if (slot.waited < slot.patience) return;
  slot.waited = 0;
  slot.patience = std::min(2 * slot.patience, kMostPatience);
  Form form;
  if (FormOf(record, block, payload_offset, metrics, parameters, &form))
    slot.form = std::move(form);
}

// False if the array does not fill its block (ARC-1816, ARC-1822), or is of another kind.
bool EventForms::FormOf(const DataRecord& record, const ValueBlock& block,
                        std::size_t payload_offset, const MetricTable& metrics,
                        EventParameters* parameters, Form* form) {
  Notes notes(record.record.At(payload_offset, 0).offset, &form->violations);
  CheckEventArray(record, block, payload_offset, false, metrics, parameters, notes);
  if (!notes.suits()) return false;
  const bool highres = block.type == MetricType::kHighresEvent;
  form->highres = highres;
  form->words.resize(block.payload.size() / 4);
  form->mask.assign(form->words.size(), 0);
  std::memcpy(form->words.data(), block.payload.data(), 4 * form->words.size());
  constexpr std::uint32_t kAll = ~std::uint32_t{0};
  form->mask[0] = kAll;
  EventArray events(block.payload, highres);
  while (const std::optional<EventRecord> event = events.NextRecord()) {
    form->times.push_back(event->offset);
    const std::uint32_t flags = (event->offset + FlagsAt(highres)) / 4;
    form->mask[flags] = kAll;
    if (!event->missed()) form->mask[flags + 1] = kAll;  // else it says how many are missed
    while (const std::optional<EventParameter> parameter = events.NextParameter()) {
      form->mask[parameter->offset / 4] = form->mask[parameter->offset / 4 + 1] = kAll;
      if (parameter->type == MetricType::kString && !parameter->payload.empty()) {
        form->texts.push_back(
            {parameter->offset + 8, static_cast<std::uint32_t>(parameter->payload.size())});
      }
    }
  }
  return true;
}

}  // namespace pmproof::validator
