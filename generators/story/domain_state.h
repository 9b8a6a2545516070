// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_STORY_DOMAIN_STATE_H_
#define PMPROOF_GENERATORS_STORY_DOMAIN_STATE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/story/story.h"
#include "reference/archive/model.h"

namespace pmproof::generators {

// An instance domain as it is in force, and what of it the archive does not say yet. A value.
class DomainState {
 public:
  DomainState() = default;
  explicit DomainState(const DomainSetup& setup);

  // What makes no sense is left out: an instance that is there already, or is not; the last one
  // vanishing; a name that another instance has (ARC-1409).
  void Change(const DomainChange& change);

  const std::vector<std::int32_t>& instances() const { return instances_; }  // ascending
  bool Has(std::int32_t instance) const;

  bool due() const { return !written_ || !changes_.empty(); }
  bool written() const { return written_; }
  void Forget();  // what was written

  // The record that says what is in force, in version 3 as a delta where pmlogger writes one
  // (ARC-623). To be written: nothing is due after it.
  archive::IndomModel Record(Timestamp time, int version);

 private:
  std::string NameOf(std::int32_t number) const { return stem_ + std::to_string(number); }
  // The number in the name of an instance: its own, unless it took another's place.
  std::int32_t NumberOf(std::int32_t instance) const;
  bool IsNumberTaken(std::int32_t number) const;
  void Add(std::int32_t instance);
  void Remove(std::int32_t instance);
  void DropIfUndone(std::int32_t instance);

  std::string stem_;
  Indom indom_;
  std::vector<std::int32_t> instances_;
  std::map<std::int32_t, std::int32_t> numbers_;  // of instances that took the place of others
  // What the archive says of the instances that have changed since: the number in their name, or
  // nothing if they are not there.
  std::map<std::int32_t, std::optional<std::int32_t>> changes_;
  bool written_ = false;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_STORY_DOMAIN_STATE_H_
