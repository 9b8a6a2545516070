// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DUMP_METRIC_NAMES_H_
#define PMPROOF_VALIDATOR_DUMP_METRIC_NAMES_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/archive/data_record.h"
#include "reference/archive/instance_domain.h"
#include "reference/archive/metadata.h"
#include "validator/check/rules/metric_table.h"
#include "validator/text/quote.h"
#include "validator/text/text_buffer.h"

namespace pmproof::validator {

// What is written before the values of a set, ready as text: the same for each record and each
// metric with these instances.
struct Leads {
  std::vector<std::uint32_t> words;  // the instances, as stored
  std::string text;  // one after the other, then bytes that may be read with the last
  std::vector<std::size_t> ends;

  std::string_view At(std::uint32_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return {text.data() + begin, ends[i] - begin};
  }
};

// One metric as a dump shows it.
struct NamedMetric {
  Pmid pmid;
  const Descriptor* descriptor = nullptr;  // nothing: the archive has none
  std::string pmid_text;
  std::string quoted_name;  // the first name in quotes; empty if there is none
  std::uint32_t next = 0;   // the metric that followed last time
  archive::InstanceCursor* cursor = nullptr;
  std::shared_ptr<const Leads> leads;  // of the last set
  std::uint64_t domain_version = 0;    // when they were made
};

// Nothing if the instance is not in its domain.
using InstanceName = std::optional<std::string_view>;

// Names of metrics and of their instances for a walk through the data records in file order.
class MetricNames {
 public:
  // `metadata` and `table` must outlive this.
  MetricNames(const archive::Metadata& metadata, const MetricTable& table, Quoting quoting);

  NamedMetric& Find(Pmid pmid, Timestamp time);

  // Calls lead(instance, InstanceName) -> std::string for each value of the set if the
  // texts are not ready yet; afterwards metric->leads has one for each value. The name is that of
  // the domain at `time` (ARC-346); times that go back are answered with the domain as it stood.
  template <typename Lead>
  void Prepare(const archive::ValueSet& set, Timestamp time, NamedMetric* metric, Lead&& lead) {
    if (Ready(set, time, metric)) return;
    auto leads = std::make_shared<Leads>();
    leads->words.resize(set.count());
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      std::memcpy(&leads->words[i], set.Pair(i), sizeof(std::uint32_t));
      leads->text += lead(set.Instance(i), NameOf(*metric, set.Instance(i)));
      leads->ends.push_back(leads->text.size());
    }
    leads->text.append(TextBuffer::kSlack, ' ');
    metric->leads = leads;
    shared_[metric->cursor] = {std::move(leads), metric->domain_version};
  }

 private:
  bool Ready(const archive::ValueSet& set, Timestamp time, NamedMetric* metric);
  static InstanceName NameOf(const NamedMetric& metric, std::int32_t instance);

  const MetricTable& table_;
  Quoting quoting_;
  std::unordered_map<Pmid, std::string> names_;
  std::vector<NamedMetric> metrics_;
  std::unordered_map<std::uint32_t, std::uint32_t> index_;
  std::unordered_map<Indom, archive::InstanceCursor> cursors_;
  // The leads made last for the metrics of one domain (nothing: of singular ones).
  struct Shared {
    std::shared_ptr<const Leads> leads;
    std::uint64_t domain_version = 0;
  };
  std::unordered_map<const archive::InstanceCursor*, Shared> shared_;
  std::uint32_t previous_ = 0;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DUMP_METRIC_NAMES_H_
