// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/shrink.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "reference/archive/loss_watch.h"
#include "validator/synthesis/shrink_draft.h"
#include "validator/synthesis/shrink_list.h"
#include "validator/synthesis/shrink_record.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;
using Rules = std::set<Clause>;

// What a check found: rules, those of findings graver than info, and of the rule that is looked for
// the findings themselves.
struct Found {
  Rules rules;
  Rules grave;
  std::set<std::pair<Severity, archive::Part>> wanted;
  bool verdict = true;  // false: this is no archive that could be checked as a whole
};

void AddFound(const ArchiveReport& report, Clause rule, Found* found) {
  found->verdict = found->verdict && !report.failure;
  for (const Finding& finding : report.findings) {
    found->rules.insert(finding.rule);
    if (finding.severity != Severity::kInfo) found->grave.insert(finding.rule);
    // One volume is like another: they are counted anew.
    if (finding.rule == rule) found->wanted.emplace(finding.severity, std::min(finding.part, 0));
  }
}

// Checks an archive by itself, several also as a set.
Found CheckTogether(const archive::Storage& storage, const std::vector<std::string>& names,
                    Clause rule, const Catalogue& catalogue, CheckOptions options,
                    std::optional<Status>* failure) {
  options.rules = {};
  options.max_findings = 1;
  options.sets = false;
  std::vector<ArchiveReport> reports;
  if (names.size() == 1) {
    reports.push_back(CheckArchive(storage, names.front(), catalogue, options));
  } else {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
    reports = CheckAll(storage, {list}, catalogue, options, nullptr).archives;
  }
  Found found;
  for (const ArchiveReport& report : reports) {
    AddFound(report, rule, &found);
    if (report.failure && failure != nullptr && !*failure) *failure = report.failure;
  }
  return found;
}

std::vector<std::string> Names(const Rules& rules) {
  std::vector<std::string> names;
  for (const Clause rule : rules) names.push_back(rule.ToString());
  return names;
}

// The suffix of a file's name without that of its compression.
std::string PlainSuffix(const DraftFile& file) {
  return file.suffix.substr(0, file.suffix.rfind('.'));
}

class Shrinker {
 public:
  Shrinker(const Shrinker&) = delete;
  Shrinker& operator=(const Shrinker&) = delete;
  Shrinker(ShrinkInput& input, const Catalogue& catalogue, const ShrinkOptions& options,
           Found allowed, ProgressSink* progress)
      : input_(input),
        catalogue_(catalogue),
        options_(options),
        best_(input.draft()),
        allowed_(std::move(allowed)),
        progress_(progress) {
    if (progress_ != nullptr) progress_->Expect(1, best_.bytes());
  }

  // Whether the archive as it is read shows the finding when it is put together again.
  bool Begin() { return Take(best_); }

  void Run() {
    Decompress();
    std::uint64_t before = 0;
    do {
      before = best_.bytes();
      LeaveOutArchives();
      LeaveOutFiles();
      // Data first: metadata may go where no data need it any more.
      for (const std::size_t i : FilesInOrder()) {
        LeaveOutChunks(i);
        ShrinkChunks(i);
      }
    } while (best_.bytes() < before && !expired_);
    for (const std::size_t i : FilesInOrder()) Simplify(i);
  }

  // Once more, by itself: what is written has the finding.
  std::optional<Shrunk> Finish() {
    auto files = Render(best_, options_.base);
    if (!files) return std::nullopt;
    const Found found = Check(best_, NamedFiles(*files));
    if (!options_.keeps && !found.rules.contains(options_.rule)) return std::nullopt;
    Shrunk shrunk;
    shrunk.files = *std::move(files);
    shrunk.before = SizeOf(input_.draft());
    shrunk.after = SizeOf(best_);
    shrunk.checks = checks_;
    shrunk.expired = expired_;
    Rules others = found.rules;
    if (!options_.keeps) others.erase(options_.rule);
    shrunk.also = Names(others);
    return shrunk;
  }

 private:
  static ArchiveSize SizeOf(const Draft& draft) { return {draft.bytes(), draft.records()}; }

  Found Check(const Draft& draft, NamedFiles&& named) {
    ++checks_;
    archive::MemoryStorage storage;
    for (const std::string& name : named.directories) storage.files[name + "/file"];
    for (auto& [name, content] : named.files) storage.files[name] = std::move(content);
    std::vector<std::string> names = draft.MemberNames(options_.base);
    std::erase(names, "");
    if (names.empty()) return {};
    return CheckTogether(storage, names, options_.rule, catalogue_, options_.check, nullptr);
  }

  bool Try(Draft candidate) {
    expired_ = expired_ || options_.expired();
    return !expired_ && Take(std::move(candidate));
  }

  // Takes the candidate if the finding stays, as grave and in the same kind of file, and nothing
  // new
  // and grave comes up.
  bool Take(Draft candidate) {
    auto files = Render(candidate, options_.base);
    if (!files) return false;
    Found found = Check(candidate, options_.keeps ? NamedFiles(*files) : *std::move(files));
    std::erase_if(found.wanted, [&](const auto& one) { return !allowed_.wanted.contains(one); });
    if (!options_.keeps && found.wanted.empty()) return false;
    if (!std::ranges::includes(allowed_.grave, found.grave)) return false;
    if (allowed_.verdict && !found.verdict) return false;
    if (options_.keeps && !Keeps(candidate, *files)) return false;
    allowed_ = std::move(found);
    const std::uint64_t before = best_.bytes();
    best_ = std::move(candidate);
    const std::uint64_t after = best_.bytes();
    if (progress_ != nullptr && after < before) progress_->AddBytes(before - after);
    return true;
  }

  bool Keeps(const Draft& candidate, const NamedFiles& files) const {
    std::vector<std::string> names = candidate.MemberNames(options_.base);
    std::erase(names, "");
    return !names.empty() && options_.keeps(files, names);
  }

  // Plain files where that keeps the finding, else files that are compressed anew, else what is
  // stored.
  void Decompress() {
    const auto can = [](const DraftFile& file) {
      return !file.storage.empty() && !file.chunks.empty();
    };
    const auto set_plain = [](DraftFile* file) {
      file->form = Form::kPlain;
      file->suffix = PlainSuffix(*file);
    };
    Draft plain = best_;
    bool any = false;
    for (DraftFile& file : plain.files) {
      if (!can(file)) continue;
      set_plain(&file);
      any = true;
    }
    if (!any || (!Collides(plain) && Try(std::move(plain)))) return;
    for (std::size_t i = 0; i < best_.files.size(); ++i) {
      if (!can(best_.files[i])) continue;
      Draft candidate = best_;
      set_plain(&candidate.files[i]);
      if (!Collides(candidate) && Try(std::move(candidate))) continue;
      candidate = best_;
      candidate.files[i].form = Form::kCompressed;
      Try(std::move(candidate));
    }
  }

  static bool Collides(const Draft& draft) {
    std::set<std::pair<std::size_t, std::string>> names;
    return !std::ranges::all_of(draft.files, [&](const DraftFile& file) {
      return names.emplace(file.member, file.suffix).second;
    });
  }

  void LeaveOutArchives() {
    const std::size_t members = best_.files.empty() ? 0 : best_.files.back().member + 1;
    for (std::size_t member = members; members > 1 && member-- > 0;) {
      Draft candidate = best_;
      for (DraftFile& file : candidate.files) file.present = file.present && file.member != member;
      Try(std::move(candidate));
    }
  }

  void LeaveOutFiles() {
    for (std::size_t i = best_.files.size(); i-- > 0;) {
      if (!best_.files[i].present) continue;
      Draft candidate = best_;
      candidate.files[i].present = false;
      if (Try(std::move(candidate)) || best_.files[i].number < 0) continue;
      candidate = best_;
      candidate.CloseUp(i);
      Try(std::move(candidate));
    }
  }

  // The files that are left, volumes before the others.
  std::vector<std::size_t> FilesInOrder() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < best_.files.size(); ++i) {
      if (best_.files[i].present) order.push_back(i);
    }
    std::ranges::stable_sort(order, std::greater<>(),
                             [this](std::size_t i) { return best_.files[i].part >= 0 ? 1 : 0; });
    return order;
  }

  void LeaveOutChunks(std::size_t i) {
    ShrinkList(best_.files[i].Current().size(), 1, over_, [&](std::size_t begin, std::size_t end) {
      Draft candidate = best_;
      auto& chunks = candidate.files[i].Current();
      chunks = Without(chunks, begin, end);
      return Try(std::move(candidate));
    });
  }

  // Calls `shrink(chunk, last, attempt)` for each chunk of a file.
  template <typename Shrink>
  void ForEachChunk(std::size_t i, Shrink&& shrink) {
    for (std::size_t k = 0; k < best_.files[i].Current().size() && !expired_; ++k) {
      const std::vector<const Chunk*>& chunks = best_.files[i].Current();
      const Chunk* const original = chunks[k];
      const bool last = k + 1 == chunks.size();
      const auto take = [&](Buffer bytes) {
        Draft candidate = best_;
        candidate.files[i].Current()[k] = input_.Edit(*original, std::move(bytes));
        if (Try(std::move(candidate))) return true;
        input_.Forget();
        return false;
      };
      shrink(*original, last, Attempt{take, over_});
    }
  }

  void ShrinkChunks(std::size_t i) {
    const archive::Part part = best_.files[i].part;
    const int version = VersionOf(best_.files[i]);
    ForEachChunk(i, [&](const Chunk& chunk, bool last, const Attempt& attempt) {
      ShrinkChunk(chunk, part, version, last, attempt);
    });
  }

  void Simplify(std::size_t i) {
    if (best_.files[i].part < 0) return;
    const int version = VersionOf(best_.files[i]);
    ForEachChunk(i, [&](const Chunk& chunk, bool, const Attempt& attempt) {
      SimplifyRecord(chunk, version, attempt);
    });
  }

  // That of the label, else that of another file.
  int VersionOf(const DraftFile& file) const {
    if (file.version != 0) return file.version;
    for (const DraftFile& other : best_.files) {
      if (other.member == file.member && other.version != 0) return other.version;
    }
    return 0;
  }

  ShrinkInput& input_;
  const Catalogue& catalogue_;
  const ShrinkOptions& options_;
  Draft best_;
  Found allowed_;
  ProgressSink* progress_;
  std::uint64_t checks_ = 0;
  bool expired_ = false;
  const Over over_ = [this] { return expired_; };
};

}  // namespace

tl::expected<Shrunk, ShrinkFailure> Shrink(const archive::Storage& files,
                                           const std::vector<std::string>& names,
                                           const Catalogue& catalogue, const ShrinkOptions& options,
                                           ProgressSink* progress) {
  using Cause = ShrinkFailure::Cause;
  const archive::LossWatch storage(files);
  std::optional<Status> failure;
  const Found found =
      CheckTogether(storage, names, options.rule, catalogue, options.check, &failure);
  if (!options.keeps && found.wanted.empty()) {
    if (failure) return tl::unexpected(ShrinkFailure{Cause::kInput, *failure, {}});
    return tl::unexpected(ShrinkFailure{Cause::kNoFinding, {}, Names(found.rules)});
  }
  const auto input = ShrinkInput::Read(storage, names, options.memory);
  if (!input) return tl::unexpected(ShrinkFailure{Cause::kInput, input.error(), {}});

  Shrinker shrinker(**input, catalogue, options, found, progress);
  if (!shrinker.Begin()) return tl::unexpected(ShrinkFailure{Cause::kNotInFiles, {}, {}});
  shrinker.Run();
  if (auto loss = storage.loss()) {
    return tl::unexpected(ShrinkFailure{Cause::kInput, *std::move(loss), {}});
  }
  if (auto shrunk = shrinker.Finish()) return *std::move(shrunk);
  return tl::unexpected(ShrinkFailure{Cause::kNotInFiles, {}, {}});
}

}  // namespace pmproof::validator
