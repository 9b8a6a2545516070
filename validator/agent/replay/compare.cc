// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/replay/compare.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reference/pmda/pdu/pdu_text.h"
#include "validator/protocol_check/answer.h"

namespace pmproof::validator::agent {
namespace {

using Kind = ExchangeStep::Kind;

constexpr std::size_t kMostDifferences = 8;
constexpr std::size_t kLongestText = 120;

struct Field {
  std::string value{};
  bool moves = false;
};
using Fields = std::map<std::string, Field>;

std::string Cut(std::string text) {
  return text.size() > kLongestText ? text.substr(0, kLongestText) + "..." : text;
}

std::string Hex(Bytes bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes.first(std::min<std::size_t>(bytes.size(), 32))) {
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text + (bytes.size() > 32 ? "..." : "");
}

// The fields of a line that ToText() made, which stand apart by blanks outside of brackets and
// quotes.
void AddFieldsOf(std::string_view line, Fields* fields) {
  int depth = 0;
  bool quoted = false;
  std::string word;
  const auto take = [&] {
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) {
      (*fields)[word.substr(0, equals)] = {word.substr(equals + 1), word.starts_with("from=")};
    }
    word.clear();
  };
  for (const char c : line) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == ' ' && depth == 0 && !quoted) {
      take();
    } else {
      word += c;
    }
  }
  take();
}

void AddFieldsOf(const pdu::Result& result, Fields* fields) {
  const auto number = [](auto value) { return std::to_string(static_cast<std::int64_t>(value)); };
  (*fields)["seconds"].value = number(result.seconds);
  (*fields)["microseconds"].value = number(result.microseconds);
  std::string pmids;
  std::size_t place = 0;
  for (const pdu::ValueSet& set : result.sets) {
    pmids += (pmids.empty() ? "" : " ") + ToText(set.pmid);
    // A metric may be there more than once.
    const std::string metric = ToText(set.pmid) + " (" + std::to_string(++place) + ")";
    (*fields)[metric + " numval"].value = number(set.numval());
    if (set.values.empty()) continue;
    (*fields)[metric + " valfmt"].value = number(set.format);
    std::size_t index = 0;
    for (const pdu::InstanceValue& value : set.values) {
      const std::string name =
          metric + " inst " + number(value.instance) + " [" + std::to_string(index++) + "]";
      if (set.format == pdu::ValueFormat::kInsitu) {
        std::uint8_t word[4];
        StoreU32(word, value.word);
        (*fields)[name + " value"] = {Hex(word), true};
      } else {
        (*fields)[name + " type"].value = number(value.type);
        (*fields)[name + " value"] = {Hex(value.body), true};
      }
    }
  }
  (*fields)["pmids"].value = pmids;
}

void Differ(const Fields& before, const Fields& now, Comparison* comparison) {
  std::size_t more = 0;
  const auto note = [&](const std::string& name, const std::string& what, bool moves) {
    if (!moves) comparison->kind = Comparison::Kind::kOther;
    if (comparison->differences.size() < kMostDifferences) {
      comparison->differences.push_back(name + ": " + what);
    } else {
      ++more;
    }
  };
  comparison->kind = Comparison::Kind::kMoved;
  for (const auto& [name, field] : before) {
    const auto found = now.find(name);
    if (found == now.end()) {
      note(name, Cut(field.value) + ", now not there", false);
    } else if (found->second.value != field.value) {
      note(name, Cut(field.value) + ", now " + Cut(found->second.value), field.moves);
    }
  }
  for (const auto& [name, field] : now) {
    if (!before.contains(name)) note(name, "not there, now " + Cut(field.value), false);
  }
  if (more > 0) comparison->differences.push_back("and " + std::to_string(more) + " more");
}

// Where two PDUs differ that have no fields, or have the same ones.
std::string OctetDifference(Bytes before, Bytes now) {
  const auto differ = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
  const auto at = static_cast<std::size_t>(differ.first - before.begin());
  const auto rest = [&](Bytes bytes) {
    return at < bytes.size()
               ? Hex(bytes.subspan(at).first(std::min<std::size_t>(8, bytes.size() - at)))
               : std::string("the end");
  };
  return "octet " + std::to_string(at) + " of " + std::to_string(before.size()) + ": " +
         rest(before) + ", now " + rest(now);
}

Comparison ComparePdus(Bytes before, Bytes now) {
  Comparison comparison;
  if (std::ranges::equal(before, now)) return comparison;
  const Answer old_answer(before);
  const Answer new_answer(now);
  comparison.kind = Comparison::Kind::kOther;
  if (old_answer.header().type != new_answer.header().type || old_answer.decoded() == nullptr ||
      new_answer.decoded() == nullptr) {
    if (old_answer.ToText() != new_answer.ToText()) {
      comparison.differences.push_back(Cut(old_answer.Content()) + ", now " +
                                       Cut(new_answer.Content()));
    } else {
      comparison.differences.push_back(OctetDifference(before, now));
    }
    return comparison;
  }
  Fields fields[2];
  const Answer* const answers[] = {&old_answer, &new_answer};
  for (std::size_t i = 0; i < 2; ++i) {
    if (const auto* const result = answers[i]->As<pdu::Result>()) {
      AddFieldsOf(*result, &fields[i]);
    } else {
      AddFieldsOf(ToText(*answers[i]->decoded()), &fields[i]);
    }
  }
  Differ(fields[0], fields[1], &comparison);
  if (comparison.differences.empty()) {
    comparison.kind = Comparison::Kind::kOther;
    comparison.differences.push_back(OctetDifference(before, now));
  }
  return comparison;
}

}  // namespace

Comparison Compare(const ExchangeStep& recorded, const ExchangeStep& now) {
  if (recorded.kind == now.kind && recorded.kind == Kind::kReceived) {
    return ComparePdus(recorded.bytes, now.bytes);
  }
  const bool same = recorded.kind == now.kind && recorded.text == now.text &&
                    (recorded.kind == Kind::kNothing || recorded.bytes == now.bytes);
  if (same) return {};
  return {.kind = Comparison::Kind::kOther,
          .differences = {StepText(recorded) + ", now " + StepText(now)}};
}

std::string StepText(const ExchangeStep& step) {
  switch (step.kind) {
    case Kind::kStart: {
      std::string text = "the agent is started";
      for (const std::string& word : step.words) text += " " + word;
      return text;
    }
    case Kind::kSent:
    case Kind::kReceived: {
      if (step.bytes.size() < pdu::kHeaderSize) {
        return std::to_string(step.bytes.size()) + " bytes: " + Hex(step.bytes);
      }
      const Answer pdu{Bytes(step.bytes)};
      if (step.kind == Kind::kReceived) return pdu.Content();
      return pdu.decoded() != nullptr
                 ? Brief(pdu.decoded()->body)
                 : ToText(pdu.header().type) + " of " + std::to_string(step.bytes.size()) +
                       " bytes, not well-formed";
    }
    case Kind::kNoPdu:
      return "what is no PDU: " + Hex(step.bytes);
    case Kind::kNothing:
      return "no answer within " + std::to_string(step.milliseconds) + " ms";
    case Kind::kEndOfFile:
      return "end of file, " + (step.text.empty() ? "and the agent runs on" : step.text);
    case Kind::kCloseRequests:
      return "the channel of requests is closed";
    case Kind::kCloseReplies:
      return "the channel of replies is closed";
    case Kind::kKill:
      return "the agent is killed";
    case Kind::kExit:
      return "the agent " + (step.text.empty() ? "does not end" : "ends with " + step.text);
    case Kind::kGone:
      break;
  }
  return "pmproof is done with the agent";
}

}  // namespace pmproof::validator::agent
