// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include "generators/expression/batch.h"

namespace pmproof::generators {
namespace {

std::string Quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte >= 0x7f) {  // bytes as the characters of Latin-1
      quoted.append("\\u00").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string TimeText(Timestamp time) {
  std::string nanoseconds = std::to_string(time.nanoseconds);
  nanoseconds.insert(0, 9 - std::min<std::size_t>(nanoseconds.size(), 9), '0');
  return '"' + std::to_string(time.seconds) + '.' + nanoseconds + '"';
}

void Append(std::string_view key, std::string_view json, std::string* object) {
  object->append(object->size() > 1 ? "," : "").append(Quoted(key)).append(":").append(json);
}

std::string ToJson(const Undefined& undefined) {
  std::string json = "{";
  Append("from", Quoted(ToText(undefined.from)), &json);
  Append("clause", Quoted(undefined.clause.ToString()), &json);
  Append("why", Quoted(undefined.why), &json);
  return json + '}';
}

std::string ToJson(const Descriptor& descriptor) {
  std::string json = "{";
  Append("type", Quoted(ToText(descriptor.type)), &json);
  Append("semantics", Quoted(ToText(descriptor.semantics)), &json);
  Append("indom", descriptor.indom.IsNull() ? "null" : Quoted(ToText(descriptor.indom)), &json);
  Append("units", std::to_string(descriptor.units.word), &json);
  return json + '}';
}

std::string ToJson(const DefinitionAnswer& answer) {
  std::string json = "{";
  if (answer.undefined) Append("undefined", ToJson(*answer.undefined), &json);
  if (answer.error && answer.error->stage == derived::RegistrationError::Stage::kSyntax) {
    Append("position", std::to_string(answer.error->position), &json);
    Append("error", Quoted(answer.error->message), &json);
    Append("clause", Quoted(answer.error->clause.ToString()), &json);
  }
  if (!answer.message.empty()) Append("message", Quoted(answer.message), &json);
  if (answer.descriptor) {
    Append("descriptor", ToJson(*answer.descriptor), &json);
  } else if (!answer.reason.empty()) {
    Append("where", Quoted(answer.where), &json);
    Append("reason", Quoted(answer.reason), &json);
    Append("clause", Quoted(answer.clause.ToString()), &json);
  }
  return json + '}';
}

std::string ToJson(const ExpressionAnswer& answer) {
  std::string json = "{";
  Append("text", Quoted(answer.text), &json);
  if (answer.nearly) Append("nearly", "true", &json);
  if (answer.undefined) Append("undefined", ToJson(*answer.undefined), &json);
  Append("global", ToJson(answer.global), &json);
  Append("added", ToJson(answer.added), &json);
  if (answer.values) {
    Append("emulated", Quoted(answer.values->emulated), &json);
    Append("reference", Quoted(answer.values->reference), &json);
    std::string deviations = "[";
    for (const std::string& deviation : answer.values->deviations) {
      deviations.append(deviations.size() > 1 ? "," : "").append(Quoted(deviation));
    }
    Append("deviations", deviations + ']', &json);
  }
  return json + '}';
}

std::string_view NameOf(FetchPlan::Kind kind) {
  switch (kind) {
    case FetchPlan::Kind::kForward:
      return "forward";
    case FetchPlan::Kind::kBackward:
      return "backward";
    case FetchPlan::Kind::kSeeking:
      break;
  }
  return "seeking";
}

}  // namespace

std::string ToJson(const Batch& batch) {
  std::string json = "{";
  Append("kind", Quoted(NameOf(batch.plan.kind)), &json);
  Append("step",
         '[' + std::to_string(batch.plan.step.seconds) + ',' +
             std::to_string(batch.plan.step.nanoseconds) + ']',
         &json);
  std::string seeks = "[";
  for (std::size_t i = 0; i < batch.fetches; ++i) {
    if (seeks.size() > 1) seeks += ',';
    seeks += batch.plan.seeks[i] ? TimeText(*batch.plan.seeks[i]) : "null";
  }
  Append("seeks", seeks + ']', &json);
  Append("fetch_added", batch.fetch_added ? "true" : "false", &json);
  std::string expressions = "[";
  for (const ExpressionAnswer& answer : batch.expressions) {
    expressions.append(expressions.size() > 1 ? "," : "").append(ToJson(answer));
  }
  Append("expressions", expressions + ']', &json);
  return json + "}\n";
}

}  // namespace pmproof::generators
