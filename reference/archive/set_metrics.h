// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_SET_METRICS_H_
#define PMPROOF_REFERENCE_ARCHIVE_SET_METRICS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reference/archive/archive_set.h"
#include "reference/archive/desc_record.h"
#include "reference/archive/reporter.h"
#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"
#include "reference/core/metric.h"

namespace pmproof::archive {

// What opening gives where a metric is described a second time in another way (ARC-307), kOk where
// the descriptors agree. The extra unit takes part from 7.2.0 on.
ErrorCode DescriptorChange(const Descriptor& was, const Descriptor& is, bool extra_unit);

// The metrics of archives that are opened together, member after member (ARC-553). Remembers what
// the last member that has a metric says of it: memory is that of the distinct metrics and names,
// however many members there are, and nothing of a member need stay open once it has been added.
class SetMetrics {
 public:
  // Adds a member; they come in the order in which they are read (ARC-551). `name` is what messages
  // about later members call it, `descs` are all of its descriptors in file order. Of several for
  // one metric the first defines it and names add up (ARC-307); a name belongs to the first metric
  // that has it (ARC-309).
  //
  // Reports against this member's records, each once for a metric or a name:
  //   ARC-2104  type, semantics, domain or units differ from the last member that has the metric
  //   ARC-2105  its names differ from those there
  //   ARC-2106  a name stands for another metric than in the last member that has the name
  DescriptorClash Add(std::string name, const std::vector<DescRecord>& descs, Reporter& reporter);

  // In the last member that has the metric, ascending; nothing of a metric that none has.
  std::vector<std::string> NamesOf(Pmid pmid) const;

  // Metrics that any member has.
  std::size_t size() const { return metrics_.size(); }

 private:
  // Texts are keys of names_.
  struct Known {
    Descriptor descriptor;
    std::size_t member = 0;
    std::vector<const std::string*> names;  // ascending
  };
  struct Meaning {
    Pmid pmid;
    std::size_t member = 0;
  };
  struct Name;  // of the member that is added
  struct Group;

  void AddMetric(const Group& group, Reporter& reporter, DescriptorClash* clash);
  void AddName(const Name& name, Reporter& reporter);

  std::vector<std::string> members_;
  // Ordered, not hashed: the identifiers of a hostile file cannot make that slow.
  std::map<Pmid, Known> metrics_;
  std::map<std::string, Meaning, std::less<>> names_;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_SET_METRICS_H_
