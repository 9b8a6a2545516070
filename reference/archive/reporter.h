// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_REPORTER_H_
#define PMPROOF_REFERENCE_ARCHIVE_REPORTER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"
#include "reference/core/clause.h"
#include "reference/core/identifiers.h"

namespace pmproof::archive {

// Where in an archive something is. `offset` and `length` are in bytes of the uncompressed file;
// `record` is the ordinal of the record (the label is 0) or of the index entry (the first is 1).
struct Location {
  Part part = kWholeArchive;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t record = 0;
};

// One framed record: `bytes` includes both length words, and bytes.size() is the leading one.
// Somebody else owns the bytes; the view of a compressed file holds until the next record is read.
struct RecordView {
  Bytes bytes;
  std::uint64_t offset = 0;
  std::uint64_t ordinal = 0;
  Part part = kWholeArchive;

  // The place of `length` bytes at `begin` within this record.
  Location At(std::size_t begin, std::size_t length) const {
    return {part, offset + begin, length, ordinal};
  }
  Location Whole() const { return {part, offset, bytes.size(), ordinal}; }
};

// How bad a violation is. Normally the catalogue says (kAsCatalogued); a decoder names another only
// in the cases that the rule's "also" describes.
enum class Gravity : std::uint8_t { kAsCatalogued, kFatal, kError, kWarning, kInfo };

// What a person needs to see of one violation. `field` is the name of the field in the
// specification's table; `actual` and `expected` are values as text (may be empty); `message` is
// one sentence.
struct Details {
  std::string field;
  std::string actual;
  std::string expected;
  std::string message;
};

// Takes the violations that decoding and checking find. Implementations decide what is kept: the
// decoder only asks for details when they are wanted, so that 10^6 violations stay cheap.
class Reporter {
 public:
  virtual ~Reporter() = default;

  // While this lives, what is reported is about a metric, or, without one, about none. Of several
  // the last one made counts.
  class About {
   public:
    About(Reporter& reporter, std::optional<Pmid> metric)
        : reporter_(reporter), before_(std::exchange(reporter.metric_, metric)) {}
    About(const About&) = delete;
    About& operator=(const About&) = delete;
    ~About() { reporter_.metric_ = before_; }

   private:
    Reporter& reporter_;
    std::optional<Pmid> before_;
  };

  // Reports one violation; `describe()` returns Details and is called at most once.
  template <typename Describe>
  void Report(Clause rule, const Location& where, Describe&& describe,
              Gravity gravity = Gravity::kAsCatalogued) {
    if (Count(rule, where, gravity)) Keep(rule, where, gravity, std::forward<Describe>(describe)());
  }

  // Counts `count` violations of a rule, of the gravity that is catalogued, about one metric: in
  // order of place the first is at `first`, the last at `last`. False, and nothing is done, if some
  // of them may have to be kept: they are to be reported one by one.
  virtual bool CountOnly(Clause /*rule*/, std::uint64_t /*count*/, const Location& /*first*/,
                         const Location& /*last*/) {
    return false;
  }

 protected:
  // Counts a violation; true if it is to be kept.
  virtual bool Count(Clause rule, const Location& where, Gravity gravity) = 0;
  virtual void Keep(Clause rule, const Location& where, Gravity gravity, Details details) = 0;

  // The metric that the violation under report is about.
  std::optional<Pmid> metric() const { return metric_; }

 private:
  std::optional<Pmid> metric_;
};

// For readers that want what can be decoded and no more.
class IgnoringReporter final : public Reporter {
 protected:
  bool Count(Clause, const Location&, Gravity) override { return false; }
  void Keep(Clause, const Location&, Gravity, Details) override {}
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_REPORTER_H_
