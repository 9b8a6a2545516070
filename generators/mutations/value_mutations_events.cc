// SPDX-License-Identifier: Apache-2.0
// Edits of section 14.9 on event arrays. Each has an array of its own, in the value of a metric
// that is added for it: events of the archive's own may be the only use of their parameters
// (ARC-1333).

#include <limits>
#include <string>
#include <utility>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/new_records.h"
#include "generators/mutations/value_mutations.h"
#include "reference/archive/layout.h"
#include "reference/core/event_array.h"

namespace pmproof::generators {
namespace {

// The times of EVENT records have 32 bits (ARC-261): archives that begin later than this, three
// years before these run out, get HIGHRES_EVENT.
constexpr std::int64_t kNoMoreEvents = std::numeric_limits<std::int32_t>::max() - 100'000'000;

// The payload of an event array, as wrong as need be (ARC-260..275).
class EventText {
 public:
  EventText(MetricType type, Timestamp time, Pmid parameter)
      : highres_(type == MetricType::kHighresEvent), time_(time), parameter_(parameter) {}

  bool highres() const { return highres_; }
  Pmid parameter() const { return parameter_; }
  // What the fraction of a time is counted in: how many of it a second has.
  std::int32_t second() const { return highres_ ? 1'000'000'000 : 1'000'000; }

  EventText& Count(std::int32_t records) {
    return Append(BigEndian({static_cast<std::uint32_t>(records)}));
  }
  // A record of the time of the data record, `seconds` later.
  EventText& Record(std::uint32_t flags, std::int32_t parameters, std::int64_t seconds = 0) {
    return Record(flags, parameters, seconds, time_.nanoseconds / (1'000'000'000 / second()));
  }
  EventText& Record(std::uint32_t flags, std::int32_t parameters, std::int64_t seconds,
                    std::int32_t fraction) {
    const auto time = static_cast<std::uint64_t>(time_.seconds + seconds);
    const auto low = static_cast<std::uint32_t>(time);
    if (highres_) {
      Append(BigEndian({static_cast<std::uint32_t>(time >> 32), low, fraction < 0 ? ~0U : 0U}));
    } else {
      Append(BigEndian({low}));
    }
    return Append(BigEndian(
        {static_cast<std::uint32_t>(fraction), flags, static_cast<std::uint32_t>(parameters)}));
  }
  EventText& Parameter() { return Parameter(parameter_, MetricType::kU32, 8); }
  // `length` is what is stored; a number follows in any case.
  EventText& Parameter(Pmid pmid, MetricType type, std::uint32_t length) {
    return Append(BigEndian({pmid.value, static_cast<std::uint32_t>(type) << 24 | length, 77}));
  }
  EventText& Append(const std::string& bytes) {
    payload_ += bytes;
    return *this;
  }

  std::string Take() { return std::move(payload_); }

 private:
  const bool highres_;
  const Timestamp time_;
  const Pmid parameter_;
  std::string payload_;
};

// Adds an event metric and lets `write` make its only array, which is empty so far.
template <typename Write>
NotApplicable AddEvents(ArchivePlan& plan, Random& random, Write&& write) {
  const bool fits = plan.label.start.seconds < kNoMoreEvents;
  const MetricType type =
      fits && random.Chance(1, 2) ? MetricType::kEvent : MetricType::kHighresEvent;
  const auto place = AddNewSet(plan, random, {.type = type});
  if (!place) return kNoPlaceForAMetric;
  archive::ResultModel& result = At(plan, place->result);
  // The metric of the parameters has the next set.
  EventText text(type, result.time, result.sets.at(place->set + 1).pmid);
  write(text);
  std::get<archive::BlockModel>(result.sets[place->set].values.at(0).value).payload = text.Take();
  return std::nullopt;
}

std::int32_t Number(Random& random, std::int64_t first, std::int64_t last) {
  return static_cast<std::int32_t>(random.Between(first, last));
}

}  // namespace

NotApplicable NumberOfEventsNegative(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    text.Count(Number(random, std::numeric_limits<std::int32_t>::min(), -1));
    if (random.Chance(1, 2)) text.Record(kEventPoint, 1).Parameter();
  });
}

NotApplicable EventsBeyondTheBlock(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    text.Count(Number(random, 2, std::numeric_limits<std::int32_t>::max()));
    text.Record(kEventPoint, 1).Parameter();
  });
}

NotApplicable ParametersBeyondTheBlock(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    const std::int32_t count = Number(random, 2, std::numeric_limits<std::int32_t>::max());
    text.Count(1).Record(kEventPoint, count).Parameter();
  });
}

NotApplicable ParameterTooShort(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    const auto length = static_cast<std::uint32_t>(random.Below(4));
    text.Count(1).Record(kEventPoint, 1).Parameter(text.parameter(), MetricType::kU32, length);
  });
}

NotApplicable ParameterBeyondTheBlock(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    const auto length = static_cast<std::uint32_t>(random.Between(9, 0xffffff));
    text.Count(1).Record(kEventPoint, 1).Parameter(text.parameter(), MetricType::kU32, length);
  });
}

NotApplicable MissedFlagNotAlone(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    const std::uint32_t other = 1U << random.Below(31);
    text.Count(1).Record(kEventMissed | other, Number(random, 0, 9));
  });
}

NotApplicable ParameterWithoutDescriptor(ArchivePlan& plan, Random& random) {
  const Pmid unknown = FreshPmid(plan, random);
  return AddEvents(plan, random, [&](EventText& text) {
    text.Count(2).Record(kEventPoint, 1).Parameter();
    text.Record(kEventPoint, 1).Parameter(unknown, MetricType::kU32, 8);
  });
}

NotApplicable ParameterOfAnotherType(ArchivePlan& plan, Random& random) {
  static constexpr MetricType kOthers[] = {MetricType::k32, MetricType::kFloat, MetricType::kString,
                                           MetricType::kAggregate};
  return AddEvents(plan, random, [&random](EventText& text) {
    text.Count(1).Record(kEventPoint, 1);
    text.Parameter(text.parameter(), random.Pick(kOthers), 8);
  });
}

NotApplicable EventFractionTooLarge(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    const std::int32_t fraction =
        Number(random, text.second(), std::numeric_limits<std::int32_t>::max());
    text.Count(1).Record(kEventPoint, 1, 0, fraction).Parameter();
  });
}

NotApplicable EventFractionNegative(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    const std::int32_t fraction = Number(random, std::numeric_limits<std::int32_t>::min(), -1);
    text.Count(1).Record(kEventPoint, 1, 0, fraction).Parameter();
  });
}

NotApplicable UnknownEventFlag(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    const std::uint32_t unknown = 0x20U << random.Below(26);
    const std::uint32_t known = random.Chance(1, 2) ? kEventPoint : 0;
    text.Count(1).Record(unknown | known, 1).Parameter();
  });
}

NotApplicable BytesBehindTheEvents(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    text.Count(1).Record(kEventPoint, 1).Parameter();
    text.Append(std::string(1 + random.Below(16), 'x'));
  });
}

NotApplicable NoEvents(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [](EventText& text) { text.Count(0); });
}

NotApplicable NoRoomForTheNumberOfEvents(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random,
                   [&random](EventText& text) { text.Append(std::string(random.Below(4), '\0')); });
}

NotApplicable EventsOutOfOrder(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    text.Count(2).Record(kEventPoint, 1).Parameter();
    text.Record(kEventPoint, 0, -random.Between(1, 1000));
  });
}

NotApplicable EventLongAfterItsRecord(ArchivePlan& plan, Random& random) {
  return AddEvents(plan, random, [&random](EventText& text) {
    text.Count(1).Record(kEventPoint, 1, random.Between(62, 100'000)).Parameter();
  });
}

}  // namespace pmproof::generators
