#ifndef PMPROOF_VALIDATOR_DUMP_METRIC_NAMES_H_
#define PMPROOF_VALIDATOR_DUMP_METRIC_NAMES_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/instance_domain.h"
#include "reference/archive/metadata.h"
#include "validator/dump/quote.h"
#include "validator/rules/metric_table.h"

namespace pmproof::validator {

// One metric as a dump shows it: what is the same for each record is kept ready as text.
struct NamedMetric {
  Pmid pmid;
  const Descriptor* descriptor = nullptr;  // nothing: the archive has none
  std::string quoted_name;                 // the first name in quotes; empty if there is none
  std::uint32_t next = 0;                  // the metric that followed last time
  archive::InstanceCursor* cursor = nullptr;

  // The instances of the last set and what is written before the value of each.
  std::vector<std::uint32_t> words;
  std::vector<std::string> leads;
  std::uint64_t domain_version = 0;
};

// Names of metrics and of their instances for a walk through the data records in file order.
class MetricNames {
 public:
  // `metadata` and `table` must outlive this.
  MetricNames(const archive::Metadata& metadata, const MetricTable& table, Quoting quoting);

  NamedMetric& Find(Pmid pmid, Timestamp time);

  // Calls lead(instance, quoted name or empty) -> std::string for each value of the set whose text is
  // not ready yet; afterwards metric.leads has one text for each value. The name is that of the domain
  // at `time` (ARC-346); times that go back are answered with the domain as it stood.
  template <typename Lead>
  void Prepare(const archive::ValueSet& set, Timestamp time, NamedMetric* metric, Lead&& lead) {
    if (Ready(set, time, metric)) return;
    metric->leads.resize(set.count());
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      metric->leads[i] = lead(set.Instance(i), QuotedInstance(*metric, set.Instance(i)));
    }
  }

 private:
  bool Ready(const archive::ValueSet& set, Timestamp time, NamedMetric* metric);
  std::string QuotedInstance(const NamedMetric& metric, std::int32_t instance) const;

  const MetricTable& table_;
  Quoting quoting_;
  std::unordered_map<Pmid, std::string> names_;
  std::vector<NamedMetric> metrics_;
  std::unordered_map<std::uint32_t, std::uint32_t> index_;
  std::unordered_map<Indom, archive::InstanceCursor> cursors_;
  std::uint32_t previous_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DUMP_METRIC_NAMES_H_
