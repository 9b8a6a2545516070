// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/value_filter.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reference/archive/decode_model.h"

namespace pmproof::validator {
namespace {

using archive::DataRecord;
using archive::ValueSet;

// Of one record. One with more is not taken apart.
constexpr std::size_t kMostErrors = 65536;

// Which set the bytes of a record belong to: those of the sets themselves and of their blocks.
class SetMap {
 public:
  explicit SetMap(const DataRecord& record) : offset_(record.record.offset) {
    std::size_t i = 0;
    record.ForEachSet([&](const ValueSet& set) {
      ranges_.push_back({set.offset(), set.offset() + std::uint64_t{set.size()}, i});
      if (set.numval() > 0 && set.format() != archive::kInsitu) {
        for (std::uint32_t k = 0; k < set.count(); ++k) {
          const std::uint64_t block = ValueSet::BlockOffset(set.Word(k));
          const std::uint64_t size = archive::kLengthWord + set.Block(k).payload.size();
          ranges_.push_back({block, block + archive::PadToWord(size), i});
        }
      }
      ++i;
    });
    std::ranges::sort(ranges_, {}, &Range::begin);
  }

  // Nothing if the place, in the file, is in none. One without a length is the end of something.
  std::optional<std::size_t> Find(const archive::Location& place) const {
    const std::uint64_t offset =
        place.length == 0 && place.offset > 0 ? place.offset - 1 : place.offset;
    if (offset < offset_) return std::nullopt;
    const std::uint64_t at = offset - offset_;
    const auto after = std::ranges::upper_bound(ranges_, at, {}, &Range::begin);
    if (after == ranges_.begin() || at >= std::prev(after)->end) return std::nullopt;
    return std::prev(after)->set;
  }

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::size_t set = 0;
  };
  std::uint64_t offset_;
  std::vector<Range> ranges_;
};

}  // namespace

ValueFilter::ValueFilter(const archive::Metadata& metadata, int version, const Catalogue& catalogue,
                         LossLog& log)
    : metrics_(metadata, /*complete=*/true),
      version_(version),
      log_(log),
      watch_(catalogue, kMostErrors),
      checker_(metrics_, watch_) {
  for (const archive::DescRecord& desc : metadata.descs) {
    const Descriptor& descriptor = desc.descriptor;
    const bool without_domain =
        !descriptor.indom.IsNull() && metrics_.FindDomain(descriptor.indom) == nullptr;
    if (without_domain || descriptor.type == MetricType::kFloat) {
      special_.try_emplace(descriptor.pmid, Special{without_domain, FormatClass::kNone});
    }
  }
}

std::optional<DataRecord> ValueFilter::Decode(const SalvagedRecord& record) const {
  archive::IgnoringReporter ignore;
  return archive::DecodeDataRecord({record.bytes, record.offset, 0, record.part}, version_, ignore);
}

bool ValueFilter::Filter(SalvagedRecord& record, const std::string& file) {
  std::optional<DataRecord> decoded = Decode(record);
  if (!decoded) return false;  // it was decoded before
  Removals removals(decoded->set_count);
  if (!special_.empty() && FindSpecial(*decoded, removals)) {
    if (!Remove(record, *decoded, removals, file)) return false;
    decoded = Decode(record);
    removals.assign(decoded->set_count, std::nullopt);
  }
  watch_.Clear();
  checker_.Check(*decoded, /*time_known=*/true);
  if (FindErrors(*decoded, removals)) {
    if (!Remove(record, *decoded, removals, file)) return false;
    decoded = Decode(record);
  }
  decoded->ForEachSet([&](const ValueSet& set) {
    ++value_sets_;
    values_ += set.count();
  });
  return true;
}

bool ValueFilter::FindSpecial(const DataRecord& record, Removals& removals) {
  bool any = false;
  std::size_t i = 0;
  record.ForEachSet([&](const ValueSet& set) {
    const std::size_t number = i++;
    if (set.numval() <= 0) return;
    const auto found = special_.find(set.pmid());
    if (found == special_.end()) return;
    Special& special = found->second;
    if (special.without_domain) {
      removals[number] = {"ARC-1807"_clause,
                          "no record of its instance domain is left in the archive"};
    } else {
      const FormatClass format =
          set.format() == archive::kInsitu ? FormatClass::kInsitu : FormatClass::kBlock;
      if (special.format == FormatClass::kNone) special.format = format;
      if (special.format == format) return;
      removals[number] = {"ARC-1814"_clause, "its values are stored in another form than before"};
    }
    any = true;
  });
  return any;
}

bool ValueFilter::FindErrors(const DataRecord& record, Removals& removals) {
  if (watch_.errors().empty()) return false;
  const SetMap sets(record);
  const auto remove_all = [&](const ErrorWatch::Error& error) {
    for (auto& removal : removals) {
      if (!removal) removal = {error.rule, error.message};
    }
  };
  for (const ErrorWatch::Error& error : watch_.errors()) {
    if (const std::optional<std::size_t> i = sets.Find(error.where)) {
      if (!removals[*i]) removals[*i] = {error.rule, error.message};
    } else {
      remove_all(error);
      break;
    }
  }
  if (watch_.overflowed()) remove_all(watch_.errors().back());
  return true;
}

// False if no set is left.
bool ValueFilter::Remove(SalvagedRecord& record, const DataRecord& decoded,
                         const Removals& removals, const std::string& file) {
  std::size_t i = 0;
  decoded.ForEachSet([&](const ValueSet& set) {
    if (const auto& removal = removals[i++]) Lose(record, set, *removal, file);
  });
  if (std::ranges::all_of(removals, [](const auto& removal) { return removal.has_value(); })) {
    return false;
  }
  archive::RecordDecoder decoder(version_, file);
  Result<archive::ResultModel> model = decoder.DecodeResult(decoded.record);
  if (!model) return false;  // it was decoded before
  i = 0;
  std::erase_if(model->sets,
                [&](const archive::ValueSetModel&) { return removals[i++].has_value(); });
  model->block_order = {};
  archive::Buffer bytes;
  archive::AppendResult(*model, version_, &bytes);
  record.bytes = std::move(bytes);
  return true;
}

void ValueFilter::Lose(const SalvagedRecord& record, const ValueSet& set, const Removal& removal,
                       const std::string& file) {
  log_.AddValues(set.pmid(),
                 {.kind = Loss::Kind::kValues,
                  .clause = removal.clause,
                  .file = {},
                  .part = record.part,
                  .offset = record.offset,
                  .length = record.bytes.size(),
                  .count = 1,
                  .values = set.count(),
                  .from = record.time,
                  .until = record.time},
                 [&](Loss& loss) {
                   loss.file = file;
                   loss.subject = metrics_.Show(set.pmid());
                   loss.message = removal.message;
                 });
}

}  // namespace pmproof::validator
