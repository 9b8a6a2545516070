// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_FRESH_DOMAIN_H_
#define PMPROOF_GENERATORS_MUTATIONS_FRESH_DOMAIN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "generators/mutation.h"
#include "generators/random.h"
#include "reference/archive/model.h"
#include "reference/core/timestamp.h"

// An instance domain that the archive does not have yet, for mutations of its records.

namespace pmproof::generators {

struct FreshDomain {
  archive::DescModel desc;       // of the one metric that uses it
  std::int32_t instance = 0;     // that has a value, once, not before times[0]
  Timestamp used;                // when it has that
  std::vector<Timestamp> times;  // for records of the domain: those of data records, ascending

  Indom indom() const { return desc.descriptor.indom; }

  // `instance` + `offset` as an entry of a record.
  archive::InstanceModel Entry(std::int32_t offset, std::string name) const {
    return {instance + offset, std::move(name)};
  }
  archive::InstanceModel Deleted(std::int32_t offset) const {
    return {instance + offset, std::nullopt};
  }

  // Records of the domain at times[moment].
  archive::IndomModel Full(std::size_t moment, std::vector<archive::InstanceModel> entries) const {
    return {times.at(moment), indom(), std::move(entries), false};
  }
  archive::IndomModel Delta(std::size_t moment, std::vector<archive::InstanceModel> changes) const {
    return {times.at(moment), indom(), std::move(changes), true};
  }

  // Puts the descriptor, and after it records of times[0], to their place in .meta.
  void Begin(ArchivePlan& plan, std::vector<archive::MetaRecordModel> records,
             Random& random) const;
  // Puts records of times[moment] to their place.
  void Add(ArchivePlan& plan, std::size_t moment, std::vector<archive::MetaRecordModel> records,
           Random& random) const;
};

// What the domain is to be like.
struct FreshDomainWish {
  std::size_t times = 1;      // how many
  bool neighbours = false;    // no data record and no index entry lies between the first two times
  bool other_agent = false;   // not that of the metric (ARC-1319)
  bool at_its_value = false;  // times[0] is that of the value
};

// Puts the value into the data. The records of the domain, and the descriptor, are left to the
// caller.
NotApplicable AddFreshDomain(ArchivePlan& plan, const FreshDomainWish& wish, Random& random,
                             FreshDomain* domain);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_FRESH_DOMAIN_H_
