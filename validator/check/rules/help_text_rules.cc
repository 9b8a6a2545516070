// SPDX-License-Identifier: Apache-2.0
#include "validator/check/rules/help_text_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/core/printable.h"

namespace pmproof::validator {
namespace {

using archive::Details;
using archive::Metadata;
using archive::Reporter;
using archive::TextRecord;

constexpr std::size_t kIdentifier = 12;  // offsets of the fields (ARC-430)
constexpr std::size_t kText = 16;

// A set of identifiers; sorted, so that a hostile choice of them does not make it slow.
class Identifiers {
 public:
  void Add(std::uint32_t identifier) { sorted_.push_back(identifier); }
  void Seal() { std::sort(sorted_.begin(), sorted_.end()); }
  bool Contains(std::uint32_t identifier) const {
    return std::binary_search(sorted_.begin(), sorted_.end(), identifier);
  }

 private:
  std::vector<std::uint32_t> sorted_;
};

std::string Target(const TextRecord& text) {
  return text.ForIndom() ? "instance domain " + ToText(Indom{text.identifier})
                         : "metric " + ToText(Pmid{text.identifier});
}

// An instance domain exists if it has instances or a metric names it.
void CheckIdentifiersExist(const Metadata& metadata, Reporter& reporter) {
  if (!metadata.Complete()) return;
  Identifiers metrics;
  Identifiers indoms;
  for (const archive::DescRecord& desc : metadata.descs) {
    metrics.Add(desc.descriptor.pmid.value);
    indoms.Add(desc.descriptor.indom.value);
  }
  for (const archive::IndomRecord& indom : metadata.indoms) indoms.Add(indom.indom.value);
  indoms.Add(Indom::Null().value);  // ARC-1611's
  metrics.Seal();
  indoms.Seal();
  for (const TextRecord& text : metadata.texts) {
    if ((text.ForIndom() ? indoms : metrics).Contains(text.identifier)) continue;
    const Reporter::About about(reporter, text.Metric());
    reporter.Report("ARC-1605"_clause, text.record.At(kIdentifier, 4), [&]() -> Details {
      return {"identifier", Target(text), "",
              "a help text for something that the archive does not have"};
    });
  }
}

// Each text is compared with the one before it for the same key: a text is looked at twice at most.
void CheckContentsAgree(const Metadata& metadata, Reporter& reporter) {
  const std::vector<TextRecord>& texts = metadata.texts;
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    order.emplace_back(std::uint64_t{texts[i].type} << 32 | texts[i].identifier, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::pair<std::size_t, std::size_t>> changes;  // the text, the one before it
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i].first != order[i - 1].first) continue;
    if (texts[order[i].second].text == texts[order[i - 1].second].text) continue;
    changes.emplace_back(order[i].second, order[i - 1].second);
  }
  std::sort(changes.begin(), changes.end());
  for (const auto& change : changes) {
    const TextRecord& text = texts[change.first];
    const TextRecord& before = texts[change.second];
    const Reporter::About about(reporter, text.Metric());
    reporter.Report("ARC-1607"_clause, text.record.At(kText, text.text.size()), [&]() -> Details {
      return {"text", Printable(text.text), Printable(before.text),
              "the text of type " + std::to_string(text.type) + " for " + Target(text) +
                  " differs from the one at offset " + std::to_string(before.record.offset)};
    });
  }
}

}  // namespace

void CheckHelpTexts(const Metadata& metadata, Reporter& reporter) {
  CheckIdentifiersExist(metadata, reporter);
  CheckContentsAgree(metadata, reporter);
}

}  // namespace pmproof::validator
