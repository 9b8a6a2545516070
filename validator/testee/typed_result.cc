// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/typed_result.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "reference/core/timestamp.h"
#include "reference/pmda/pdu/event_array_builder.h"
#include "reference/pmda/pdu/result_builder.h"
#include "validator/replay/read_value.h"
#include "validator/testee/identifier_argument.h"
#include "validator/testee/pdu_json.h"

namespace pmproof::validator {
namespace {

class TypedResult {
 public:
  explicit TypedResult(RequestReader* reader) : reader_(*reader) {}

  Outcome Encode(const Json& result, const std::string& path) {
    reader_.KnowKeys(result, path, {"pdu", "from", "seconds", "fraction", "sets"});
    const std::string type = reader_.NeededText(result, "pdu", path);
    const bool is_highres = type == "HIGHRES_RESULT";
    if (!is_highres && type != "RESULT") reader_.Fail(path + ".pdu: no RESULT");
    const std::int32_t from = Number(result, "from", path);
    const std::int32_t seconds = Number(result, "seconds", path);
    const std::int32_t fraction = Number(result, "fraction", path);
    builder_.Begin();
    for (const Json& set : List(result, "sets", path)) AddSet(set, path + ".sets");
    if (reader_.stopped()) return reader_.Stop();
    pdu::Buffer bytes;
    const auto made =
        is_highres ? builder_.Finish({.from = from,
                                      .seconds = std::int64_t{seconds},
                                      .nanoseconds = std::int64_t{fraction}},
                                     &bytes)
                   : builder_.Finish(pdu::ResultBuilder::Envelope{from, seconds, fraction}, &bytes);
    if (!made) return PduRefusal(made.error());
    return Answered{DumpJson({{"bytes", HexOf(bytes)}}, -1)};
  }

 private:
  // Objects of a list; none, and a complaint, where it is something else.
  const Json& List(const Json& object, const char* key, const std::string& path) {
    static const Json kNone = Json::array();
    const auto found = object.find(key);
    if (found != object.end() && found->is_array() &&
        std::ranges::all_of(*found, [](const Json& one) { return one.is_object(); })) {
      return *found;
    }
    reader_.Fail(path + "." + key + ": missing, or no list of objects");
    return kNone;
  }

  std::int32_t Number(const Json& object, const char* key, const std::string& path) {
    const auto number = reader_.Integer(object, key, path, std::numeric_limits<std::int32_t>::min(),
                                        std::numeric_limits<std::int32_t>::max());
    return static_cast<std::int32_t>(number.value_or(0));
  }

  Pmid PmidOf(const Json& object, const std::string& path) {
    const auto word = ParseWord(reader_.NeededText(object, "pmid", path));
    if (!word) reader_.Fail(path + ".pmid: no eight hexadecimal digits");
    return Pmid{word.value_or(0)};
  }

  void AddSet(const Json& set, const std::string& path) {
    reader_.KnowKeys(set, path, {"pmid", "status", "values"});
    const Pmid pmid = PmidOf(set, path);
    if (set.contains("status")) {
      return builder_.AddSet(pmid, static_cast<ErrorCode>(Number(set, "status", path)));
    }
    builder_.AddSet(pmid);
    for (const Json& value : List(set, "values", path)) AddValue(value, path + ".values");
  }

  void AddValue(const Json& json, const std::string& path) {
    reader_.KnowKeys(json, path, {"instance", "type", "value", "records"});
    const std::int32_t instance = Number(json, "instance", path);
    const std::optional<MetricType> type = ParseType(reader_.NeededText(json, "type", path));
    if (!type) return reader_.Fail(path + ".type: no type, such as u32");
    if (IsEvent(*type)) return AddEvents(json, instance, *type, path);
    const std::string text = reader_.NeededText(json, "value", path);
    if (*type == MetricType::kString && !text.starts_with("base64:")) {
      return builder_.AddString(instance, text);
    }
    std::string bytes;
    if (const auto value = ValueOf(*type, text, &bytes, path)) builder_.Add(instance, *value);
  }

  // `bytes` is what the value views.
  std::optional<Value> ValueOf(MetricType type, const std::string& text, std::string* bytes,
                               const std::string& path) {
    if (NumericSize(type) != 0) {
      const std::optional<Value> number = ParseNumber(type, text);
      if (!number) reader_.Fail(path + ".value: no number of that type");
      return number;
    }
    const std::optional<std::string> given = ParseBase64(text);
    *bytes = given.value_or(text);
    return Value{type, false, 0, AsBytes(*bytes)};
  }

  void AddEvents(const Json& json, std::int32_t instance, MetricType type,
                 const std::string& path) {
    pdu::EventArrayBuilder events(type);
    for (const Json& record : List(json, "records", path)) {
      AddRecord(record, path + ".records", &events);
    }
    builder_.AddBlock(instance, type, events.body());
  }

  void AddRecord(const Json& record, const std::string& path, pdu::EventArrayBuilder* events) {
    reader_.KnowKeys(record, path, {"time", "flags", "missed", "parameters"});
    const auto time = ParseTime("@" + reader_.NeededText(record, "time", path));
    if (!time) return reader_.Fail(path + ".time: no time, such as 1700000000.5");
    if (record.contains("missed")) return events->AddMissed(*time, Number(record, "missed", path));
    events->AddRecord(*time, static_cast<std::uint32_t>(Number(record, "flags", path)));
    for (const Json& parameter : List(record, "parameters", path)) {
      AddParameter(parameter, path + ".parameters", events);
    }
  }

  void AddParameter(const Json& json, const std::string& path, pdu::EventArrayBuilder* events) {
    reader_.KnowKeys(json, path, {"pmid", "type", "value"});
    const Pmid pmid = PmidOf(json, path);
    const std::optional<MetricType> type = ParseType(reader_.NeededText(json, "type", path));
    if (!type) return reader_.Fail(path + ".type: no type, such as u32");
    std::string bytes;
    const auto value = ValueOf(*type, reader_.NeededText(json, "value", path), &bytes, path);
    if (value && !events->AddParameter(pmid, *value)) {
      reader_.Fail(path + ".value: larger than a block");
    }
  }

  RequestReader& reader_;
  pdu::ResultBuilder builder_;
};

}  // namespace

Outcome EncodeTypedResult(RequestReader* reader, const Json& result, const std::string& path) {
  return TypedResult(reader).Encode(result, path);
}

}  // namespace pmproof::validator
