// SPDX-License-Identifier: Apache-2.0
#include "validator/derived_diff/derived_side.h"

#include <limits>
#include <optional>
#include <variant>

#include "validator/replay/value_text.h"
#include "validator/testee/derive_operations.h"
#include "validator/text/json_text.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {
namespace {

using Kind = NotAnswered::Kind;

constexpr std::int64_t kWholeMetric = std::numeric_limits<std::int64_t>::min();

Json InputOf(const DerivedQuestion& question) {
  if (question.paths.size() == 1) return {{"path", question.paths.front()}};
  return {{"paths", question.paths}};
}

std::string LineOf(const char* operation, const DerivedQuestion& question, Json args) {
  args["config"] = question.configuration;
  return DumpJson({{"cmd", "run"},
                   {"seq", "d"},
                   {"op", operation},
                   {"input", InputOf(question)},
                   {"args", std::move(args)}},
                  -1);
}

// The result in a line, or why there is none.
tl::expected<Json, NotAnswered> ResultIn(const std::string& line) {
  const auto wrong = [](const std::string& what) {
    return tl::unexpected(NotAnswered{Kind::kProtocol, what});
  };
  const Json json = ParseOrderedJson(line);
  if (!json.is_object() || json.value("seq", Json()) != "d")
    return wrong("no answer to the request");
  if (json.contains("result")) return json["result"];
  for (const auto& [key, kind] :
       {std::pair("reject", Kind::kReject), std::pair("skip", Kind::kSkip),
        std::pair("error", Kind::kError)}) {
    if (json.contains(key)) {
      return tl::unexpected(NotAnswered{kind, DumpJson(json[key], -1).substr(0, 200)});
    }
  }
  return wrong("neither result nor reject, skip or error");
}

std::string Text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "none" : value.dump();
}

std::string DescriptorText(const Json& descriptor) {
  std::string text;
  for (const char* key : {"type", "semantics", "indom", "units"}) {
    text += (text.empty() ? "" : ", ") + std::string(key) + " " +
            Text(descriptor.is_object() ? descriptor.value(key, Json()) : Json());
  }
  return text;
}

std::string StatusText(const Json& status) {
  return ErrorText(static_cast<ErrorCode>(status.get<std::int32_t>()));
}

// False where it is not what the schema says.
bool TakeMeanings(const Json& result, const DerivedQuestion& question, DerivedAnswer* answer) {
  const Json metrics = result.value("metrics", Json::array());
  if (!metrics.is_array() || metrics.size() != question.names.size()) return false;
  for (const Json& metric : metrics) {
    if (!metric.is_object() || !metric.contains("status") ||
        !metric["status"].is_number_integer()) {
      return false;
    }
    DefinitionMeaning& meaning = answer->definitions.emplace_back();
    if (metric["status"] != 0) {
      meaning.error = StatusText(metric["status"]);
    } else {
      meaning.descriptor = DescriptorText(metric.value("descriptor", Json()));
    }
  }
  const Json config = result.value("config", Json::object());
  if (!config.is_object() || !config.contains("diagnostics")) return true;
  for (const Json& line : config["diagnostics"]) {
    if (line.is_string()) answer->diagnostics.push_back(line.get<std::string>());
  }
  return true;
}

bool TakeValues(const Json& metric, std::uint64_t record, DefinitionMeaning* meaning) {
  if (!metric.is_object() || !metric.contains("status") || !metric["status"].is_number_integer()) {
    return false;
  }
  if (metric["status"].get<std::int64_t>() < 0) {
    meaning->values[{record, kWholeMetric}] = StatusText(metric["status"]);
    return true;
  }
  for (const Json& value : metric.value("values", Json::array())) {
    if (!value.is_object() || !value.contains("value")) return false;
    const Json instance = value.value("instance", Json());
    meaning->values[{record, instance.is_number_integer() ? instance.get<std::int64_t>() : -1}] =
        Text(value["value"]);
  }
  return true;
}

// `asked`: positions in the names of what was asked for.
bool TakeFetches(const Json& result, const std::vector<std::size_t>& asked, DerivedAnswer* answer) {
  const Json fetches = result.value("fetches", Json());
  if (!fetches.is_array()) return false;
  for (std::uint64_t i = 0; i < fetches.size(); ++i) {
    const Json& fetch = fetches[i];
    if (!fetch.is_object() || fetch.value("status", Json()) != 0) continue;  // the end
    const Json metrics = fetch.value("metrics", Json());
    if (!metrics.is_array() || metrics.size() != asked.size()) return false;
    for (std::size_t k = 0; k < asked.size(); ++k) {
      DefinitionMeaning& meaning = answer->definitions[asked[k]];
      meaning.times[i] = Text(fetch.value("time", Json()));
      if (!TakeValues(metrics[k], i, &meaning)) return false;
    }
  }
  return true;
}

class DialectSide final : public DerivedSide {
 public:
  DialectSide(const derived::Dialect& dialect, const archive::Storage& storage,
              const ProfileList& profiles)
      : dialect_(dialect),
        parse_(MakeDeriveParse(storage, dialect_)),
        eval_(MakeDeriveEval(storage, profiles, dialect_)) {}

  const derived::Dialect* dialect() const override { return &dialect_; }

 protected:
  tl::expected<std::string, NotAnswered> Run(const std::string& request) override {
    const Json json = ParseOrderedJson(request);
    Outcome outcome = (json["op"] == "derive.parse" ? parse_ : eval_)->Run(json);
    if (const auto* answered = std::get_if<Answered>(&outcome)) {
      return R"({"seq":"d","result":)" + answered->json + "}";
    }
    if (const auto* reject = std::get_if<Reject>(&outcome)) {
      return tl::unexpected(
          NotAnswered{Kind::kReject, reject->error_class + ": " + reject->message});
    }
    if (const auto* skip = std::get_if<Skip>(&outcome)) {
      return tl::unexpected(NotAnswered{Kind::kSkip, skip->reason});
    }
    return tl::unexpected(NotAnswered{Kind::kError, std::get<Failure>(outcome).context});
  }

 private:
  const derived::Dialect dialect_;
  std::unique_ptr<Operation> parse_;
  std::unique_ptr<Operation> eval_;
};

class ImplementationSide final : public DerivedSide {
 public:
  explicit ImplementationSide(Adapter adapter) : adapter_(std::move(adapter)) {}

 protected:
  tl::expected<std::string, NotAnswered> Run(const std::string& request) override {
    adapter_.Send(request + '\n');
    auto line = adapter_.Receive();
    if (line) return *std::move(line);
    const NoAnswer& why = line.error();
    const Kind kind = why.kind == NoAnswer::Kind::kCrash     ? Kind::kCrash
                      : why.kind == NoAnswer::Kind::kTimeout ? Kind::kTimeout
                                                             : Kind::kProtocol;
    return tl::unexpected(NotAnswered{kind, why.text});
  }

 private:
  Adapter adapter_;
};

}  // namespace

tl::expected<DerivedAnswer, NotAnswered> DerivedSide::Ask(const DerivedQuestion& question) {
  const auto wrong = [](const char* operation) {
    return tl::unexpected(NotAnswered{Kind::kProtocol, std::string("no result of ") + operation});
  };
  const auto parsed = Run(LineOf("derive.parse", question, {{"metrics", question.names}}));
  if (!parsed) return tl::unexpected(parsed.error());
  const auto meanings = ResultIn(*parsed);
  if (!meanings) return tl::unexpected(meanings.error());
  DerivedAnswer answer;
  if (!TakeMeanings(*meanings, question, &answer)) return wrong("derive.parse");
  std::vector<std::size_t> asked;
  Json names = Json::array();
  for (std::size_t i = 0; i < question.names.size(); ++i) {
    if (!answer.definitions[i].error.empty()) continue;
    asked.push_back(i);
    names.push_back(question.names[i]);
  }
  if (asked.empty() || question.records == 0) return answer;
  const auto evaluated = Run(LineOf("derive.eval", question,
                                    {{"metrics", std::move(names)},
                                     {"raw", true},
                                     {"start", TimeText(question.start)},
                                     {"count", question.records}}));
  if (!evaluated) return tl::unexpected(evaluated.error());
  const auto fetches = ResultIn(*evaluated);
  if (!fetches) return tl::unexpected(fetches.error());
  if (!TakeFetches(*fetches, asked, &answer)) return wrong("derive.eval");
  return answer;
}

std::unique_ptr<DerivedSide> MakeDialectSide(const derived::Dialect& dialect,
                                             const archive::Storage& storage,
                                             const ProfileList& profiles) {
  return std::make_unique<DialectSide>(dialect, storage, profiles);
}

std::unique_ptr<DerivedSide> MakeImplementationSide(Adapter adapter) {
  return std::make_unique<ImplementationSide>(std::move(adapter));
}

}  // namespace pmproof::validator
