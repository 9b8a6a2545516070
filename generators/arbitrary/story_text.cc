// SPDX-License-Identifier: Apache-2.0
#include "generators/arbitrary/story_text.h"

#include <cstdio>
#include <optional>
#include <string_view>
#include <variant>

namespace pmproof::generators {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7f && c != '"' && c != '\\') {
      quoted += c;
    } else {
      char escaped[5];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
      quoted += escaped;
    }
  }
  return quoted + "\"";
}

std::string ToText(const std::vector<LabelText>& labels, const char* what) {
  std::string text;
  for (const LabelText& label : labels)
    text += (text.empty() ? std::string(", ") + what + " " : " ") + label.name + "=" + label.value +
            (label.optional ? " (optional)" : "");
  return text;
}

std::string OfText(const char* what, const std::string& text) {
  return text.empty() ? "" : std::string(", ") + what + " " + Quoted(text);
}

std::string ToText(const Setup& setup) {
  std::string text = "version " + std::to_string(setup.version) + ", start " +
                     ToEpochText(setup.start) + ", interval " + std::to_string(setup.interval) +
                     " ns, host " + Quoted(setup.host) + ", pid " + std::to_string(setup.pid) +
                     (setup.logger ? "" : ", no logger") + ToText(setup.context_labels, "context") +
                     ToText(setup.agent_labels, "agents") +
                     ToText(setup.cluster_labels, "clusters") + "\n";
  for (std::size_t i = 0; i < setup.domains.size(); ++i) {
    const DomainSetup& domain = setup.domains[i];
    text += "domain " + std::to_string(i) + ": " + std::to_string(domain.agent) + "." +
            std::to_string(domain.serial) + " " + Quoted(domain.stem) + " {";
    for (std::size_t k = 0; k < domain.instances.size(); ++k)
      text += (k == 0 ? "" : " ") + std::to_string(domain.instances[k]);
    text += "}" + OfText("one line", domain.one_line) + OfText("help", domain.help) +
            ToText(domain.labels, "labels") + ToText(domain.instance_labels, "instances") + "\n";
  }
  for (std::size_t i = 0; i < setup.metrics.size(); ++i) {
    const MetricSetup& metric = setup.metrics[i];
    text += "metric " + std::to_string(i) + ": " + metric.name + " " +
            std::to_string(metric.agent) + "." + std::to_string(metric.cluster) + "." +
            std::to_string(metric.item) + " " + pmproof::ToText(metric.type) + " " +
            pmproof::ToText(metric.semantics);
    if (metric.units != Units{}) text += " " + pmproof::ToText(metric.units);
    if (metric.domain) text += ", domain " + std::to_string(*metric.domain);
    if (metric.first != 0) text += ", from " + std::to_string(metric.first);
    if (metric.parameter) text += ", parameter";
    if (metric.valueless) text += ", valueless";
    for (const std::string& alias : metric.aliases) text += ", alias " + alias;
    text += OfText("one line", metric.one_line) + OfText("help", metric.help) +
            ToText(metric.labels, "labels") + "\n";
  }
  return text;
}

std::string ToText(const EventText& event) {
  std::string text =
      "event -" + std::to_string(event.before) + " ns flags " + std::to_string(event.flags);
  if (event.missed != 0) text += " missed " + std::to_string(event.missed);
  for (const EventParameterText& parameter : event.parameters) {
    text += " " + std::to_string(parameter.metric) + "=" + std::to_string(parameter.number);
    if (!parameter.text.empty()) text += Quoted(parameter.text);
  }
  return text;
}

std::string ToText(const Value& value) {
  std::string text = std::to_string(value.instance) + ": " + std::to_string(value.number);
  if (value.counting == Counting::kSet) text += " set";
  if (value.counting == Counting::kWrap) text += " wrap";
  if (!value.text.empty()) text += " " + Quoted(value.text);
  for (const EventText& event : value.events) text += " [" + ToText(event) + "]";
  return text;
}

struct StepText {
  std::string operator()(const Sample& sample) const {
    std::string text = "sample";
    if (sample.after != 0) text += " +" + std::to_string(sample.after) + " ns";
    if (sample.back) text += " back";
    for (const Reading& reading : sample.readings) {
      text += "; metric " + std::to_string(reading.metric);
      if (reading.status != 0) text += " status " + std::to_string(reading.status);
      for (const Value& value : reading.values) text += " {" + ToText(value) + "}";
    }
    return text;
  }
  std::string operator()(const Mark& mark) const {
    return "mark +" + std::to_string(mark.after) + " ns" + (mark.anywhere ? " anywhere" : "");
  }
  std::string operator()(const DomainChange& change) const {
    const std::string what = " in domain " + std::to_string(change.domain);
    const std::string instance = "instance " + std::to_string(change.instance);
    switch (change.kind) {
      case DomainChange::Kind::kAppear:
        return instance + " appears" + what;
      case DomainChange::Kind::kVanish:
        return instance + " vanishes" + what;
      case DomainChange::Kind::kReplace:
        return instance + " is replaced by " + std::to_string(change.by) + what;
    }
    return instance;
  }
  std::string operator()(const LabelChange& change) const {
    const std::string value = change.label.value.empty() ? " is gone" : " = " + change.label.value;
    return "label " + pmproof::ToText(change.level) + " of metric " +
           std::to_string(change.metric) + ": " + change.label.name + value;
  }
  std::string operator()(const VolumeSwitch&) const { return "volume switch"; }
  std::string operator()(const Redefinition& change) const {
    std::string text = "metric " + std::to_string(change.metric) + " is redefined:";
    if (change.type) text += " " + pmproof::ToText(*change.type);
    if (change.semantics) text += " " + pmproof::ToText(*change.semantics);
    if (change.units) text += " units " + Quoted(pmproof::ToText(*change.units));
    if (change.domain) text += " domain " + std::to_string(*change.domain);
    return text;
  }
};

}  // namespace

std::string ToText(const Story& story) {
  std::string text = ToText(story.setup);
  for (std::size_t i = 0; i < story.steps.size(); ++i)
    text += "step " + std::to_string(i) + ": " + std::visit(StepText(), story.steps[i]) + "\n";
  return text;
}

}  // namespace pmproof::generators
