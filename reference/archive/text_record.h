// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_TEXT_RECORD_H_
#define PMPROOF_REFERENCE_ARCHIVE_TEXT_RECORD_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/archive/reporter.h"
#include "reference/core/metric.h"

namespace pmproof::archive {

// A TEXT record (ARC-430..434), decoded. A view.
struct TextRecord {
  RecordView record;
  std::uint32_t type = 0;        // TextType, or other bits in a damaged archive
  std::uint32_t identifier = 0;  // of a metric or an instance domain, as the type says
  std::string_view text;         // up to the first NUL

  // Where both targets are set readers take it for an instance domain's (ARC-432).
  bool ForIndom() const { return (type & 8) != 0; }
  bool ForMetric() const { return (type & 4) != 0 && !ForIndom(); }

  // The metric that the text is about; nothing of other texts.
  std::optional<Pmid> Metric() const {
    return ForMetric() ? std::optional(Pmid{identifier}) : std::nullopt;
  }
};

// Decodes and validates all that one record can show (rules ARC-1109, ARC-1601..1604, 1606,
// 1608..1612). `last` says that no record follows: a text without class or target is skipped there,
// anywhere else the records after it are misread (ARC-432). Nothing if readers cannot load it.
std::optional<TextRecord> DecodeText(const RecordView& record, bool last, Reporter& reporter);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_TEXT_RECORD_H_
