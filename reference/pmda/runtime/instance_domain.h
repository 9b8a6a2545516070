// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_RUNTIME_INSTANCE_DOMAIN_H_
#define PMPROOF_REFERENCE_PMDA_RUNTIME_INSTANCE_DOMAIN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pmproof::pmda {

// The instances that a domain has, and those it had: an instance that comes back gets the number it
// had (DSO-061, CKA-086). A value.
class InstanceDomain {
 public:
  struct Instance {
    std::int32_t number = 0;
    std::string name{};
    bool active = true;  // it is in the domain now
  };

  // Puts an instance with a number of the agent's choice into the domain. False, and nothing
  // changed, for what PDU-033 and PDU-064 forbid: a negative number, one that is another name's, an
  // empty name or one with a NUL, or one whose first word another active instance's name begins
  // with.
  bool Add(std::int32_t number, std::string_view name);

  // Puts an instance into the domain: under the number it had, else under the lowest that none ever
  // had in order of appearance (0, 1, 2 ...). Nothing where Add would be false.
  std::optional<std::int32_t> Activate(std::string_view name);

  // Takes one, or all, out of the domain.
  void Deactivate(std::int32_t number);
  void DeactivateAll();

  // All there ever were, in the order in which they first appeared: the order of values and of
  // INSTANCE. Holds until the domain is changed.
  std::span<const Instance> instances() const { return instances_; }
  std::size_t active_count() const { return active_; }

  // Active instances only. By name as PMD-088 has it: in full, or, a name without a space, the part
  // of an instance's name before its first space.
  const Instance* FindNumber(std::int32_t number) const;
  const Instance* FindName(std::string_view name) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using TextIndex = std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>>;

  bool Enter(std::size_t index);

  std::vector<Instance> instances_;
  std::unordered_map<std::int32_t, std::size_t> by_number_;
  TextIndex by_name_;
  TextIndex by_first_word_;  // of the active ones
  std::size_t active_ = 0;
  std::int32_t next_ = 0;  // no number from here on was given
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_RUNTIME_INSTANCE_DOMAIN_H_
