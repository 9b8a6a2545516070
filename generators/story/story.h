// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_STORY_STORY_H_
#define PMPROOF_GENERATORS_STORY_STORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generators/story/setup.h"
#include "reference/core/metric.h"
#include "reference/core/units.h"

// An archive as a story: who is in it (the setup), and what happens, step by step. Whatever is
// taken out of a story, or made smaller in it, leaves a story that makes a sound archive: the
// composer (composer.h) keeps what is in force and leaves out what makes no sense. All are values.

namespace pmproof::generators {

// What a `number` means.
enum class Counting : std::uint8_t {
  kAdd,   // to a counter, which stays at the largest value of its type; else it is the value
  kWrap,  // to a counter, which begins anew from 0 beyond the largest value: it falls (ARC-1825)
  kSet,   // the value, of a counter too, which may fall by it (ARC-1825, except after a mark)
};

struct EventParameterText {
  std::size_t metric = 0;  // a parameter of the setup
  std::uint64_t number = 0;
  std::string text;

  friend bool operator==(const EventParameterText&, const EventParameterText&) = default;
};

// An event record (ARC-261, ARC-272), `before` nanoseconds older than the sample. One that was
// `missed` so many times has no parameters.
struct EventText {
  std::int64_t before = 0;
  std::uint32_t flags = 1;   // ARC-274, without the missed flag
  std::uint32_t missed = 0;  // 0: it was not
  std::vector<EventParameterText> parameters;

  friend bool operator==(const EventText&, const EventText&) = default;
};

// A value of one instance; which field counts is a matter of the metric's type. The number is that
// of an integer, or the bits of a FLOAT or DOUBLE (infinities and NaN are made finite, ARC-1828). A
// counter has a number in any numeric type. A string ends at its first NUL.
struct Value {
  std::int32_t instance = 0;  // of a singular metric: any
  std::uint64_t number = 0;
  Counting counting = Counting::kAdd;
  std::string text;               // STRING, AGGREGATE
  std::vector<EventText> events;  // EVENT, HIGHRES_EVENT

  friend bool operator==(const Value&, const Value&) = default;
};

// One metric in a sample. Without values: `status`, 0 or an error code (ARC-202, ARC-203).
struct Reading {
  std::size_t metric = 0;
  std::vector<Value> values;
  std::int32_t status = 0;

  friend bool operator==(const Reading&, const Reading&) = default;
};

// A data record, Setup::interval + `after` after the sample before, `after` being at most nine
// times the interval (ARC-2010). Values of instances that are not there are left out.
struct Sample {
  std::int64_t after = 0;
  std::vector<Reading> readings;
  // It lies half an interval before the sample in front of it instead (ARC-1720), and brings no
  // metadata.
  bool back = false;

  friend bool operator==(const Sample&, const Sample&) = default;
};

// A mark, `after` nanoseconds after the last sample, at most an interval: then it has the time of
// the sample that follows at once. Left out where it would be first, last, or next to another mark
// (ARC-1723), unless `anywhere`; where it is first, the first labels are later than it (ARC-1527)
// and no index entry stands for it (ARC-1921).
struct Mark {
  std::int64_t after = 1'000'000;
  bool anywhere = false;

  friend bool operator==(const Mark&, const Mark&) = default;
};

// Seen at the next sample that has values of the domain. A domain never becomes empty (ARC-345).
struct DomainChange {
  enum class Kind : std::uint8_t {
    kAppear,   // `instance`, for the first time or again
    kVanish,   // `instance`
    kReplace,  // `instance` by one of the same name, `by` (ARC-1425)
  };
  std::size_t domain = 0;
  Kind kind = Kind::kAppear;
  std::int32_t instance = 0;
  std::int32_t by = 0;

  friend bool operator==(const DomainChange&, const DomainChange&) = default;
};

// A label gets another value, of the level that the place of a metric in the setup stands for (for
// the context: any). Without a value it is no longer there. Of levels that have no labels from the
// beginning nothing changes (ARC-1527).
struct LabelChange {
  LabelClass level = LabelClass::kContext;
  std::size_t metric = 0;
  LabelText label;

  friend bool operator==(const LabelChange&, const LabelChange&) = default;
};

// The next data record that is not a mark begins a volume (ARC-611).
struct VolumeSwitch {
  friend bool operator==(const VolumeSwitch&, const VolumeSwitch&) = default;
};

// A metric is written with another descriptor from its next reading on, which no reader takes
// (ARC-1311 .. ARC-1314). What is not given stays.
struct Redefinition {
  std::size_t metric = 0;
  std::optional<MetricType> type;
  std::optional<Semantics> semantics;
  std::optional<Units> units;
  std::optional<std::size_t> domain;

  friend bool operator==(const Redefinition&, const Redefinition&) = default;
};

using Step = std::variant<Sample, Mark, DomainChange, LabelChange, VolumeSwitch, Redefinition>;

struct Story {
  Setup setup;
  std::vector<Step> steps;

  friend bool operator==(const Story&, const Story&) = default;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_STORY_STORY_H_
