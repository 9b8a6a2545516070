// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_DOMAIN_IN_FORCE_H_
#define PMPROOF_GENERATORS_DOMAIN_IN_FORCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/model.h"
#include "reference/core/timestamp.h"

namespace pmproof::generators {

// One instance domain while its records are taken in the order of the file (ARC-346, ARC-372).
class DomainInForce {
 public:
  struct Instance {
    std::int32_t id = 0;
    std::string name;
  };

  // A record of the domain at `time`, as it is stored. What the specification forbids is taken as
  // PCP 7.2 does (ARC-345, ARC-373).
  void Take(const archive::IndomModel& record, Timestamp time);

  // All instances, by ascending identifier.
  const std::vector<Instance>& instances() const { return instances_; }

  // Whether the last record is earlier than one before it (ARC-347): what then is in force after
  // the later ones has to be found out in the order of time.
  bool out_of_order() const { return out_of_order_; }

 private:
  void Replace(const std::vector<archive::InstanceModel>& instances);
  void Apply(const std::vector<archive::InstanceModel>& changes);

  std::vector<Instance> instances_;
  std::optional<Timestamp> latest_;
  bool out_of_order_ = false;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_DOMAIN_IN_FORCE_H_
