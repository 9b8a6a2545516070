// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_INSTANCE_MATCH_H_
#define PMPROOF_REFERENCE_CORE_INSTANCE_MATCH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace pmproof {

struct NamedInstance {
  std::int32_t id = 0;
  std::string_view name;
};

// The instance that a name finds among those of one record (MET-602): the one that is called so;
// else the first in their order that has a space in its name and whose name up to there begins
// the given one ("a1", "a1 two" and "a1zzz" all find "a1 one"). Case matters.
inline std::optional<std::int32_t> FindInstance(std::span<const NamedInstance> instances,
                                                std::string_view given) {
  for (const NamedInstance& instance : instances) {
    if (instance.name == given) return instance.id;
  }
  for (const NamedInstance& instance : instances) {
    const std::size_t space = instance.name.find(' ');
    if (space != std::string_view::npos && given.starts_with(instance.name.substr(0, space))) {
      return instance.id;
    }
  }
  return std::nullopt;
}

// The same over all records of a domain, given from the newest to the oldest (MET-603).
inline std::optional<std::int32_t> FindInstanceInRecords(
    std::span<const std::span<const NamedInstance>> records, std::string_view given) {
  for (const auto& record : records) {
    if (const auto found = FindInstance(record, given)) return found;
  }
  return std::nullopt;
}

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_INSTANCE_MATCH_H_
