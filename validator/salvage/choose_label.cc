// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/choose_label.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "validator/salvage/error_watch.h"

namespace pmproof::validator {
namespace {

using archive::kIndexPart;
using archive::kMetaPart;
using archive::Part;

constexpr std::size_t kMostErrors = 64;
constexpr const char* kUnknownHost = "unknown";

struct ReadOne {
  Part part = 0;
  archive::ArchiveLabel label;
  std::vector<ErrorWatch::Error> errors;
};

class Choice {
 public:
  Choice(const archive::Storage& storage, const archive::FileSet& files, const Catalogue& catalogue,
         const CheckOptions& options, LossLog& log)
      : storage_(storage), files_(files), catalogue_(catalogue), options_(options), log_(log) {}

  Result<ChosenLabel> Run() {
    for (const auto& [part, file] : files_.parts) {
      if (part < 0) continue;
      if (auto error = Read(part, file)) return tl::unexpected(*error);
    }
    for (const Part part : {kIndexPart, kMetaPart}) {
      const auto found = files_.parts.find(part);
      if (found == files_.parts.end()) continue;
      if (auto error = Read(part, found->second)) return tl::unexpected(*error);
    }
    Choose();
    return std::move(chosen_);
  }

 private:
  std::optional<Status> Read(Part part, const archive::ArchiveFile& file) {
    const std::string name = files_.FileName(part);
    const auto stored = storage_.Open(file.path);
    if (!stored) return stored.error();
    const auto source = archive::MakeSource(**stored, name, file.compression, LimitsOf(options_));
    ErrorWatch watch(catalogue_, kMostErrors);
    const auto label = archive::ReadLabel(*source, part, name, options_.now, watch, options_.zones);
    ChosenLabel::Member& member = chosen_.members[part];
    if (label) {
      const auto misframed = std::ranges::find_if(watch.errors(), [](const auto& error) {
        return error.rule == "ARC-1201"_clause || error.rule == "ARC-1202"_clause;
      });
      if (misframed == watch.errors().end()) {
        member.end = source->position();
      } else {
        member.clause = misframed->rule;
        member.message = misframed->message;
      }
      read_.push_back({part, *label, watch.errors()});
      return std::nullopt;
    }
    const Status& error = label.error();
    if (error.kind != Status::Kind::kDamaged && error.kind != Status::Kind::kNotAnArchive) {
      return error;
    }
    member.clause = error.clause;
    member.message = error.message;
    if (part != kIndexPart) Lose(part, error.clause, error.message);
    return std::nullopt;
  }

  // The version that most labels without errors have; of equally many the first one's.
  int CommonVersion() const {
    int balance = 0;
    int first = 0;
    for (const ReadOne& one : read_) {
      if (!one.errors.empty()) continue;
      if (first == 0) first = one.label.version;
      balance += one.label.version == first ? 1 : -1;
    }
    if (first == 0) return 0;
    return balance >= 0 ? first : 5 - first;
  }

  void Choose() {
    if (read_.empty()) return;
    const int version = CommonVersion();
    auto best = std::find_if(read_.begin(), read_.end(), [&](const ReadOne& one) {
      return one.errors.empty() && one.label.version == version;
    });
    if (best == read_.end()) best = read_.begin();
    chosen_.file = files_.FileName(best->part);
    chosen_.label = best->label;
    for (const ReadOne& one : read_) {
      if (&one != &*best && one.part != kIndexPart) Compare(one);
    }
    for (const ErrorWatch::Error& error : best->errors) {
      Lose(best->part, error.rule, error.message);
    }
    Mend(*chosen_.label, best->errors);
  }

  void Compare(const ReadOne& other) {
    ErrorWatch watch(catalogue_, kMostErrors);
    archive::CompareLabels(*chosen_.label, other.label, other.part, watch);
    for (const auto& errors : {other.errors, watch.errors()}) {
      for (const ErrorWatch::Error& error : errors) {
        Lose(other.part, error.rule, error.message);
      }
    }
  }

  void Mend(archive::ArchiveLabel& label, const std::vector<ErrorWatch::Error>& errors) {
    for (const ErrorWatch::Error& error : errors) {
      if (error.rule == "ARC-1217"_clause || error.rule == "ARC-1228"_clause) {
        label.host = kUnknownHost;
      } else if (error.rule == "ARC-1212"_clause) {
        label.features = 0;
      } else if (error.rule == "ARC-1219"_clause) {
        chosen_.start_is_sound = false;
      }
    }
    if (label.start.seconds < 0) chosen_.start_is_sound = false;
  }

  void Lose(Part part, Clause clause, std::string message) {
    log_.Add({.kind = Loss::Kind::kLabel,
              .clause = clause,
              .file = files_.FileName(part),
              .part = part,
              .message = std::move(message)});
  }

  const archive::Storage& storage_;
  const archive::FileSet& files_;
  const Catalogue& catalogue_;
  const CheckOptions& options_;
  LossLog& log_;
  ChosenLabel chosen_;
  std::vector<ReadOne> read_;
};

}  // namespace

Result<ChosenLabel> ChooseLabel(const archive::Storage& storage, const archive::FileSet& files,
                                const Catalogue& catalogue, const CheckOptions& options,
                                LossLog& log) {
  return Choice(storage, files, catalogue, options, log).Run();
}

}  // namespace pmproof::validator
