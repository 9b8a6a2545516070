// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/recheck.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "validator/custody/first_difference.h"
#include "validator/custody/in_order.h"
#include "validator/policy/policy_judge.h"

namespace pmproof::validator {
namespace {

// The listing of the directory of the last archive: a certificate has those of a directory one
// after the other.
class LastListing {
 public:
  explicit LastListing(const Tree& tree) : tree_(tree) {}

  // Empty listings where there is no such directory.
  Result<std::shared_ptr<const archive::Listings>> Of(const std::string& directory) {
    if (last_ && directory == directory_) return last_;
    auto entries = tree_.List(directory);
    if (!entries && entries.error().kind != Status::Kind::kNotFound) {
      return tl::unexpected(entries.error());
    }
    auto listings = std::make_shared<archive::Listings>();
    if (entries) listings->emplace(directory, *std::move(entries));
    directory_ = directory;
    last_ = std::move(listings);
    return last_;
  }

 private:
  const Tree& tree_;
  std::string directory_;
  std::shared_ptr<const archive::Listings> last_;
};

class Rechecker {
 public:
  Rechecker(const Catalogue& catalogue, const RecheckRequest& request, const Terms& terms)
      : catalogue_(catalogue), request_(request), options_(request.check) {
    options_.jobs = 1;
    options_.profile = terms.profile;
    options_.rules = terms.rules;
    options_.max_findings = terms.max_findings;
    if (request.policy != nullptr) options_.by_metric = policy::RulesByMetric(*request.policy);
  }

  ArchiveComparison Run(const CertifiedArchive& certified,
                        const Result<std::shared_ptr<const archive::Listings>>& listings) const {
    try {
      return Compare(certified, listings);
    } catch (const std::bad_alloc&) {
      return NoAnswer(certified, archive::BeyondBudget(certified.name));
    }
  }

 private:
  static ArchiveComparison NoAnswer(const CertifiedArchive& certified, Status failure) {
    ArchiveComparison none;
    none.name = certified.name;
    none.certified = certified.verdict;
    none.state = ArchiveState::kNoAnswer;
    none.failure = std::move(failure);
    return none;
  }

  ArchiveComparison Compare(
      const CertifiedArchive& certified,
      const Result<std::shared_ptr<const archive::Listings>>& listings) const {
    ArchiveComparison compared;
    compared.name = certified.name;
    compared.certified = certified.verdict;
    compared.state = ArchiveState::kNotCertified;
    if (certified.verdict == Verdict::kNone) return compared;
    if (!listings) return NoAnswer(certified, listings.error());
    const auto same = [&](const std::vector<CertifiedFile>& files) {
      const ArchiveState state = StateOf(CompareFiles(certified.files, files));
      return request_.judge &&
             (state == ArchiveState::kUnchanged || state == ArchiveState::kRecompressed);
    };
    std::optional<policy::PolicyJudge> judge;
    policy::PolicyJudge::Facts facts;
    AfterCheck read;
    if (request_.policy != nullptr) {
      judge.emplace(*request_.policy, options_.now);
      read = [&](const ArchiveReport& report, const std::string& path) {
        facts = judge->Read(report, request_.tree, path, listings->get(), options_.memory);
      };
    }
    ExaminedArchive now =
        Examine(request_.tree, certified.name, **listings, catalogue_, options_, same, read);
    if (judge && now.report) judge->Judge(std::move(facts), &*now.report);
    if (now.files.empty() && now.report) return NoAnswer(certified, *now.report->failure);
    compared.files = CompareFiles(certified.files, now.files);
    compared.state = StateOf(compared.files);
    if (request_.copy != nullptr) FindDifferences(certified, &compared);
    if (now.report) Judge(certified, *now.report, &compared);
    return compared;
  }

  static void Judge(const CertifiedArchive& certified, const ArchiveReport& report,
                    ArchiveComparison* compared) {
    compared->now = VerdictOf(report);
    compared->internal_errors = report.internal_errors;
    compared->failure = report.failure;
    if (*compared->now == Verdict::kNone) return;
    compared->differences = CompareFindings(certified.findings, report.findings);
    compared->unmet = CompareUnmet(certified.unmet, report.unmet);
  }

  void FindDifferences(const CertifiedArchive& certified, ArchiveComparison* compared) const {
    const std::string directory = DirectoryOf(certified.name);
    for (std::size_t i = 0; i < certified.files.size(); ++i) {
      FileComparison& file = compared->files[i];
      if (file.state != FileState::kChanged) continue;
      const Result<std::uint64_t> offset = FirstDifference(
          request_.tree, archive::JoinPath(directory, file.now), *request_.copy,
          archive::JoinPath(directory, file.name), certified.files[i], LimitsOf(options_));
      if (offset) {
        file.first_difference = *offset;
      } else {
        file.no_difference_because = offset.error().message;
      }
    }
  }

  const Catalogue& catalogue_;
  const RecheckRequest& request_;
  CheckOptions options_;
};

}  // namespace

std::size_t MostEntry(const archive::MemoryBudget& budget) { return budget.bytes() / 8; }

Result<ReadCertificate> RecheckAll(Bytes document, const std::string& name,
                                   const CertificateHead& head, const Catalogue& catalogue,
                                   const RecheckRequest& request,
                                   const std::function<void(const ArchiveComparison&)>& take) {
  const Rechecker rechecker(catalogue, request, head.terms);
  LastListing listing(request.tree);
  InOrder<ArchiveComparison> work(request.check.jobs, take);
  auto read = ReadCertificateFrom(
      document, name, MostEntry(request.check.memory), [&](CertifiedArchive archive) {
        auto listings = listing.Of(DirectoryOf(archive.name));
        auto shared = std::make_shared<const CertifiedArchive>(std::move(archive));
        work.Submit([&rechecker, shared, listings = std::move(listings)] {
          return rechecker.Run(*shared, listings);
        });
      });
  work.Finish();
  return read;
}

void RecheckTotals::Add(const ArchiveComparison& archive, Severity fail_on) {
  ++archives;
  switch (archive.state) {
    case ArchiveState::kUnchanged:
      ++unchanged;
      break;
    case ArchiveState::kRecompressed:
      ++recompressed;
      break;
    case ArchiveState::kChanged:
      ++changed;
      break;
    case ArchiveState::kMissing:
      ++missing;
      break;
    case ArchiveState::kNotCertified:
      ++not_certified;
      break;
    case ArchiveState::kNoAnswer:
      ++no_answer;
      break;
  }
  differs_ = differs_ || archive.state == ArchiveState::kChanged ||
             archive.state == ArchiveState::kMissing;
  internal_ = internal_ || !archive.internal_errors.empty();
  if (archive.failure) {
    (archive.failure->kind == Status::Kind::kBudget ? budget_ : unreadable_) = true;
  }
  if (archive.now == Verdict::kNone) ++without_verdict;
  if (!archive.JudgedOtherwise()) return;
  ++judged_otherwise;
  const auto is_grave = [&](const auto& one) { return one.finding.severity >= fail_on; };
  const bool grave = std::ranges::any_of(archive.differences, is_grave) ||
                     std::ranges::any_of(archive.unmet, is_grave);
  differs_ = differs_ || grave || *archive.now != archive.certified;
}

ExitStatus RecheckTotals::Status() const {
  if (internal_) return ExitStatus::kInternal;
  if (unreadable_) return ExitStatus::kUnreadable;
  if (budget_) return ExitStatus::kBudget;
  return differs_ ? ExitStatus::kFindings : ExitStatus::kOk;
}

}  // namespace pmproof::validator
