// SPDX-License-Identifier: Apache-2.0
#include "validator/metrics/render_metrics.h"

#include "reference/core/units_text.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

Json MetricJson(const ListedMetric& metric) {
  const Descriptor& descriptor = metric.descriptor;
  const bool has_domain = !descriptor.indom.IsNull();
  return {{"name", metric.name.empty() ? Json(nullptr) : Json(metric.name)},
          {"pmid", ToText(descriptor.pmid)},
          {"type", ToText(descriptor.type)},
          {"semantics", ToText(descriptor.semantics)},
          {"units", UnitsText(descriptor.units, PcpVersion::k7_2)},
          {"indom", has_domain ? Json(ToText(descriptor.indom)) : Json(nullptr)},
          {"instances", has_domain ? Json(metric.instances) : Json(nullptr)}};
}

Json InstanceJson(const ListedInstance& instance) {
  return {{"id", instance.id}, {"name", instance.name}};
}

}  // namespace

void RenderMetricsJson(const MetricList& list, const std::vector<std::string>& archives,
                       std::ostream& out) {
  LongJson json(out);
  json.Object();
  json.Members({{"schema", "pmproof-metrics/1"},
                {"tool", {{"name", "pmproof"}, {"version", kVersion}}},
                {"archives", archives}});
  json.Key("metrics").Array();
  for (const ListedMetric& metric : list.metrics) json.Value(MetricJson(metric));
  json.Close().Key("indoms").Array();
  for (const ListedDomain& domain : list.domains) {
    Json instances = Json::array();
    for (const ListedInstance& instance : domain.instances) {
      instances.push_back(InstanceJson(instance));
    }
    json.Value({{"indom", ToText(domain.indom)}, {"instances", std::move(instances)}});
  }
  json.Close();
  json.Members({{"footer", {{"complete", true}, {"metrics", list.metrics.size()}}}});
  json.Close();
  out << '\n';
}

}  // namespace pmproof::validator
