// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/testee.h"

#include <sys/utsname.h>

#include <algorithm>
#include <new>
#include <utility>

#include "validator/replay/emulated_version.h"
#include "validator/testee/line_reader.h"
#include "validator/text/json_text.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

constexpr int kProtocol = 1;
constexpr int kOneLine = -1;

// How deep objects and arrays stand inside of each other, at least as far as the text is JSON.
// Looked at before it is parsed: a parsed value takes many times the memory of its text.
std::size_t DepthOf(const std::string& text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

std::string OperatingSystem() {
  utsname name{};
  if (uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

// `seq` as it came; null where a line has none.
Json SeqOf(const Json& request) {
  const auto seq = request.find("seq");
  return seq == request.end() ? Json(nullptr) : *seq;
}

std::string ErrorReply(const Json& seq, const std::string& context) {
  return DumpJson({{"seq", seq}, {"error", {{"context", context}}}}, kOneLine);
}

struct ReplyTo {
  const Json& seq;

  std::string operator()(const Answered& answered) const {
    return "{\"seq\":" + DumpJson(seq, kOneLine) + ",\"result\":" + answered.json + "}";
  }
  std::string operator()(const Reject& reject) const {
    Json of_class = {{"class", reject.error_class}};
    if (reject.offset) of_class["offset"] = *reject.offset;
    if (!reject.file.empty()) of_class["file"] = reject.file;
    if (reject.line != 0) of_class["line"] = reject.line;
    if (!reject.message.empty()) of_class["message"] = reject.message;
    return DumpJson({{"seq", seq}, {"reject", of_class}}, kOneLine);
  }
  std::string operator()(const Skip& skip) const {
    return DumpJson({{"seq", seq}, {"skip", {{"reason", skip.reason}}}}, kOneLine);
  }
  std::string operator()(const Failure& failure) const { return ErrorReply(seq, failure.context); }
};

}  // namespace

bool Testee::Serve(std::istream& in, std::ostream& out) {
  LineReader reader(in, kLongestLine);
  std::string line;
  while (true) {
    std::string answer;
    switch (reader.Next(&line)) {
      case LineReader::Outcome::kEnd:
        return true;
      case LineReader::Outcome::kTooLong:
        answer =
            ErrorReply(nullptr, "a line is longer than " + std::to_string(kLongestLine) + " bytes");
        break;
      case LineReader::Outcome::kLine:
        answer = Answer(line);
        if (answer.empty()) return true;
        break;
    }
    answer += '\n';
    if (!out.write(answer.data(), static_cast<std::streamsize>(answer.size())).flush()) {
      return false;
    }
  }
}

std::string Testee::Answer(const std::string& line) {
  if (DepthOf(line) > kDeepest) {
    return ErrorReply(nullptr, "a line with more than " + std::to_string(kDeepest) +
                                   " objects and arrays inside of each other");
  }
  const Json request = ParseOrderedJson(line);
  if (!request.is_object()) return ErrorReply(nullptr, "a line that is not a JSON object");
  const auto command = request.find("cmd");
  if (command == request.end() || !command->is_string()) {
    return ErrorReply(SeqOf(request), "cmd: missing, or no string");
  }
  if (*command == "hello") return Hello(request);
  if (*command == "bye") return "";
  if (*command == "run") return Run(request);
  return ErrorReply(SeqOf(request), "cmd: hello, run and bye are known, this is not");
}

std::string Testee::Hello(const Json& request) const {
  const auto protocol = request.find("protocol");
  if (protocol == request.end() || *protocol != kProtocol) {
    return DumpJson({{"ok", false}, {"protocol", kProtocol}}, kOneLine);
  }
  Json capabilities = Json::array();
  for (const auto& operation : operations_) capabilities.push_back(operation->name());
  Json emulates = Json::array();
  for (const auto& [name, version] : EmulatedVersions()) emulates.push_back(name);
  return DumpJson({{"ok", true},
                   {"protocol", kProtocol},
                   {"implementation",
                    {{"name", "pmproof"},
                     {"version", kVersion},
                     {"language", "C++"},
                     {"os", OperatingSystem()}}},
                   {"capabilities", capabilities},
                   {"rules", rules_},
                   {"emulates", emulates}},
                  kOneLine);
}

std::string Testee::Run(const Json& request) {
  const Json seq = SeqOf(request);
  const auto op = request.find("op");
  if (op == request.end() || !op->is_string()) return ErrorReply(seq, "op: missing, or no string");
  const auto operation =
      std::ranges::find_if(operations_, [&](const auto& known) { return *op == known->name(); });
  if (operation == operations_.end()) {
    return ReplyTo{seq}(Skip{"this implementation has no operation of that name"});
  }
  try {
    Outcome outcome = (*operation)->Run(request);
    if (const auto loss = watch_ == nullptr ? std::nullopt : watch_->loss()) {
      watch_->Forget();
      outcome = Failure{loss->ToText()};
    }
    return std::visit(ReplyTo{seq}, outcome);
  } catch (const std::bad_alloc&) {  // one request that is too much is not the end of the others
    return ErrorReply(seq, "out of memory");
  }
}

}  // namespace pmproof::validator
