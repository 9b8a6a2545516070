// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/print_result.h"

#include <cstdio>
#include <ctime>
#include <optional>

#include "validator/dbpmda/tables.h"
#include "validator/dbpmda/values.h"

namespace pmproof::agent_script {
namespace {

std::string TimeText(const pdu::Result& result, bool of_dso) {
  char text[96];
  const std::time_t seconds = result.seconds;
  std::tm local{};
  localtime_r(&seconds, &local);
  if (of_dso) {
    std::snprintf(text, sizeof text,
                  "pmResult dump from 0x0 timestamp: %d.%06d %02d:%02d:%02d.%03d", result.seconds,
                  result.microseconds, local.tm_hour, local.tm_min, local.tm_sec,
                  result.microseconds / 1000);
  } else {
    std::snprintf(text, sizeof text,
                  "__pmResult dump from 0x0 timestamp: %d.%09d %02d:%02d:%02d.%09d", result.seconds,
                  result.microseconds * 1000, local.tm_hour, local.tm_min, local.tm_sec,
                  result.microseconds * 1000);
  }
  return text;
}

// All of them, the one defined last first.
std::string NameText(Pmid pmid, const pmda::NameTree& tree) {
  const std::vector<std::string> names = tree.NamesOf(pmid);
  if (names.empty()) return "<noname>";
  std::string text = names.back();
  for (auto name = names.rbegin() + 1; name != names.rend(); ++name) text += ", " + *name;
  return text;
}

void PrintValueSet(const pdu::ValueSet& set, const Descriptor* descriptor,
                   const ResultContext& context, std::ostream& out) {
  out << "  " << ToText(set.pmid) << " (" << NameText(set.pmid, context.names) << "): ";
  if (set.values.empty()) {
    out << (set.status == ErrorCode::kOk ? "No values returned!" : ErrorText(set.status)) << '\n';
    return;
  }
  out << "numval: " << set.values.size() << " valfmt: " << static_cast<int>(set.format)
      << " vlist[]:\n";
  for (const pdu::InstanceValue& value : set.values) {
    if (value.instance != kInstanceNull) {
      out << "    inst [" << value.instance << " or "
          << (context.instance_name && descriptor != nullptr
                  ? context.instance_name(descriptor->indom, value.instance)
                  : "???")
          << "]";
    } else {
      out << "  ";
    }
    std::optional<MetricType> type;
    if (descriptor != nullptr) type = descriptor->type;
    out << " value " << ValueText(value, set.format, type) << '\n';
  }
}

}  // namespace

void PrintResult(const pdu::Result& result, const ResultContext& context, std::ostream& out) {
  out << TimeText(result, context.of_dso) << " numpmid: " << result.sets.size() << '\n';
  for (std::size_t i = 0; i < result.sets.size(); ++i) {
    const bool known = i < context.descriptors.size();
    PrintValueSet(result.sets[i], known ? &context.descriptors[i] : nullptr, context, out);
  }
}

}  // namespace pmproof::agent_script
