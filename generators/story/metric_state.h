// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_STORY_METRIC_STATE_H_
#define PMPROOF_GENERATORS_STORY_METRIC_STATE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "generators/story/domain_state.h"
#include "generators/story/story.h"
#include "reference/archive/model.h"

namespace pmproof::generators {

// What event parameters refer to: the descriptor of a parameter of the setup; null for what is
// none.
using ParameterOf = std::function<const Descriptor*(std::size_t metric)>;

// Turns readings of one metric into value sets, and keeps where its counters stand. A value.
class MetricState {
 public:
  MetricState() = default;
  MetricState(Descriptor descriptor, std::uint64_t first) : metric_(descriptor), first_(first) {}

  const Descriptor& descriptor() const { return metric_; }
  void SetType(MetricType type) { metric_.type = type; }

  // Fills `set` with the values that make sense at that time: of instances that `domain` has (null:
  // a singular metric), each once, ascending. May end without any.
  void Read(const Reading& reading, const DomainState* domain, Timestamp time,
            const ParameterOf& parameter, archive::ValueSetModel* set);

 private:
  // Nothing if there is no such value.
  std::optional<std::variant<std::uint32_t, archive::BlockModel>> Encode(
      const Value& value, std::int32_t instance, Timestamp time, const ParameterOf& parameter);
  std::uint64_t NumberOf(const Value& value, std::int32_t instance);

  Descriptor metric_;
  std::uint64_t first_ = 0;
  std::vector<std::pair<std::int32_t, std::uint64_t>> counters_;  // by instance, ascending
  std::size_t next_counter_ = 0;  // where the next one is likely to be
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_STORY_METRIC_STATE_H_
