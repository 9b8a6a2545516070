// SPDX-License-Identifier: Apache-2.0
#include "validator/bisect/archive_questions.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "reference/core/utf8.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kMostInstances = 64;
constexpr std::size_t kMostOfKind = 4;
constexpr std::size_t kMostTogether = 3;

bool IsAtOrBelow(std::string_view name, std::string_view node) {
  return name.starts_with(node) && (name.size() == node.size() || name[node.size()] == '.');
}

bool IsWanted(std::string_view name, const std::vector<std::string>& named) {
  return named.empty() || std::ranges::any_of(named, [&](const std::string& node) {
           return IsAtOrBelow(name, node);
         });
}

// In turn of each kind, so that those that stand together differ.
std::vector<Pmid> Chosen(const replay::ReplayArchive& archive,
                         const std::vector<std::string>& named) {
  std::map<std::tuple<Semantics, bool, bool>, std::vector<Pmid>> kinds;
  for (const auto& [pmid, metric] : archive.metrics()) {
    const Descriptor& descriptor = metric.descriptor;
    const bool number = IsNumeric(descriptor.type);
    if (metric.names.empty() || !IsWanted(metric.names.front(), named)) continue;
    const std::string_view name = metric.names.front();
    if (FirstInvalidUtf8(name) != name.size()) continue;
    if (!number && descriptor.type != MetricType::kString) continue;
    const bool singular = descriptor.indom.IsNull();
    const replay::ReplayDomain* domain = archive.DomainOf(descriptor.indom);
    if (!singular && (domain == nullptr || domain->candidates.size() > kMostInstances)) continue;
    auto& kind = kinds[{descriptor.semantics, number, singular}];
    if (kind.size() < kMostOfKind) kind.push_back(pmid);
  }
  std::vector<Pmid> chosen;
  for (std::size_t i = 0; i < kMostOfKind; ++i) {
    for (const auto& [kind, pmids] : kinds) {
      if (i < pmids.size()) chosen.push_back(pmids[i]);
    }
  }
  return chosen;
}

}  // namespace

Result<std::vector<std::shared_ptr<const QuestionArchive>>> MetricsToAsk(
    const archive::Storage& storage, const std::string& path, const std::vector<std::string>& named,
    std::size_t memory) {
  std::vector<Pmid> chosen;
  {
    const auto archive = replay::ReplayArchive::Open(storage, {path});
    if (!archive) return tl::unexpected(archive.error());
    chosen = Chosen(**archive, named);
  }
  if (chosen.empty()) {
    return tl::unexpected(
        Status{.kind = Status::Kind::kUsage, .message = "no metric that can be asked for"});
  }
  std::vector<std::shared_ptr<const QuestionArchive>> archives;
  for (std::size_t first = 0; first < chosen.size(); first += kMostTogether) {
    const std::size_t last = std::min(first + kMostTogether, chosen.size());
    auto opened = QuestionArchive::Open(storage, path,
                                        {chosen.begin() + static_cast<std::ptrdiff_t>(first),
                                         chosen.begin() + static_cast<std::ptrdiff_t>(last)},
                                        memory / (chosen.size() / kMostTogether + 1));
    if (!opened) return tl::unexpected(opened.error());
    archives.push_back(*std::move(opened));
  }
  return archives;
}

}  // namespace pmproof::validator
