// SPDX-License-Identifier: Apache-2.0
#include "validator/custody/read_certificate.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "reference/archive/file_set.h"
#include "validator/custody/tree.h"
#include "validator/text/json_members.h"
#include "validator/text/json_stream.h"
#include "validator/text/json_string.h"

namespace pmproof::validator {
namespace {

using Json = nlohmann::json;

std::optional<Clause> ParseClause(std::string_view text) { return Clause::Parse(text); }

// As PartText() writes it.
std::optional<archive::Part> ParsePart(std::string_view text) {
  if (text == "archive") return archive::kWholeArchive;
  if (text == "meta") return archive::kMetaPart;
  if (text == "index") return archive::kIndexPart;
  archive::Part part = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return part;
}

std::string ReadContent(const Json& json, Content* content) {
  JsonMembers members(json);
  content->size = members.Count("size");
  content->sha256 = members.Parsed("sha256", &ParseSha256);
  return members.wrong();
}

std::string ReadFile(const Json& json, CertifiedFile* file) {
  JsonMembers members(json);
  file->name = members.Text("name");
  file->judged = members.Flag("judged");
  if (std::string wrong = ReadContent(json, &file->stored); !wrong.empty()) return wrong;
  const Json* content = members.Find("content");
  if (content == nullptr) members.Fail("content", "is missing");
  if (content != nullptr && !content->is_null()) {
    const std::string wrong = ReadContent(*content, &file->content.emplace());
    if (!wrong.empty()) members.Fail("content:", wrong);
  }
  return members.wrong();
}

std::string ReadFinding(const Json& json, Finding* finding) {
  JsonMembers members(json);
  finding->rule = members.Parsed("rule", &ParseClause);
  finding->severity = members.Parsed("severity", &ParseSeverity);
  finding->file = members.Text("file");
  finding->part = members.Parsed("part", &ParsePart);
  finding->offset = members.Count("offset");
  finding->length = members.Count("length");
  finding->record = members.Count("record");
  finding->field = members.Text("field");
  finding->actual = members.Text("actual");
  finding->expected = members.Text("expected");
  finding->message = members.Text("message");
  finding->count = members.Count("count");
  return members.wrong();
}

std::string ReadUnmet(const Json& json, PolicyFinding* finding) {
  JsonMembers members(json);
  finding->check = members.Parsed("check", &ParsePolicyCheck);
  finding->severity = members.Parsed("severity", &ParseSeverity);
  finding->line = members.Count("line");
  finding->message = members.Text("message");
  finding->reason = members.Text("reason");
  return members.wrong();
}

template <typename T>
void ReadList(JsonMembers& members, const char* member, std::optional<T> (*parse)(std::string_view),
              std::vector<T>* list) {
  const Json* found = members.Find(member);
  if (found == nullptr || !found->is_array()) return members.Fail(member, "is not an array");
  for (const Json& item : *found) {
    const std::optional<T> parsed =
        item.is_string() ? parse(item.get_ref<const std::string&>()) : std::nullopt;
    if (!parsed) return members.Fail(member, "names something unknown");
    list->push_back(*parsed);
  }
}

std::string ReadTerms(const Json& json, Terms* terms) {
  JsonMembers members(json);
  terms->profile = members.Parsed("profile", &ParseProfile);
  terms->fail_on = members.Parsed("fail_on", &ParseSeverity);
  terms->max_findings = members.Count("max_findings");
  ReadList(members, "only", &ParseRulePart, &terms->rules.only);
  ReadList(members, "added", &ParseClause, &terms->rules.added);
  ReadList(members, "removed", &ParseClause, &terms->rules.removed);
  return members.wrong();
}

// Shows in bounded memory whether two lists of files and digests are the same.
class FileList {
 public:
  void Add(const std::string& path, const Sha256Digest& digest) {
    ++size_;
    hash_.Add(AsBytes(path));
    hash_.Add(AsBytes(std::string_view("\0", 1)));
    hash_.Add(digest);
  }
  std::uint64_t size() const { return size_; }
  Sha256Digest Finish() { return hash_.Finish(); }

 private:
  std::uint64_t size_ = 0;
  Sha256 hash_;
};

class Reader final : public JsonConsumer {
 public:
  Reader(std::size_t most_entry, const std::function<void(CertifiedArchive)>& visit)
      : most_entry_(most_entry), visit_(visit) {}

  bool IsStreamed(std::string_view pattern, bool is_array) const override {
    return is_array ? std::ranges::count(kArrays, pattern) > 0
                    : std::ranges::count(kObjects, pattern) > 0;
  }

  std::string OnBegin(std::string_view pattern, std::uint64_t offset) override {
    See(pattern);
    if (pattern == "predicate.archives[]") {
      entry_begin_ = offset;
      archive_ = {};
      for (const char* member : kOfArchive) seen_.erase(member);
    }
    return "";
  }

  std::string OnValue(std::string_view pattern, const Json& value, std::uint64_t offset) override {
    if (std::ranges::count(kArrays, pattern) > 0) return "is not an array";
    if (std::ranges::count(kObjects, pattern) > 0) return "is not an object";
    if (pattern.starts_with("predicate.archives[].") && offset - entry_begin_ > most_entry_) {
      exceeds_budget_ = true;
      return "this archive takes more memory than the budget allows";
    }
    See(pattern);
    if (pattern.starts_with("predicate.archives[].")) return OnArchiveValue(pattern, value);
    if (pattern.starts_with("predicate.")) return OnPredicateValue(pattern, value);
    return OnStatementValue(pattern, value);
  }

  std::string OnEnd(std::string_view pattern, std::uint64_t) override {
    if (pattern == "predicate.archives[]") return EndArchive();
    if (pattern == "predicate") return Missing(kOfPredicate);
    return pattern.empty() ? EndStatement() : "";
  }

  bool exceeds_budget() const { return exceeds_budget_; }
  bool is_unsupported() const { return is_unsupported_; }
  ReadCertificate Take() { return std::move(read_); }

 private:
  static constexpr std::string_view kObjects[] = {"", "predicate", "predicate.archives[]"};
  static constexpr std::string_view kArrays[] = {"subject",
                                                 "predicate.archives",
                                                 "predicate.archives[].files",
                                                 "predicate.archives[].findings",
                                                 "predicate.archives[].not_checked",
                                                 "predicate.archives[].unmet"};
  static constexpr const char* kOfStatement[] = {"_type", "subject", "predicateType", "predicate"};
  static constexpr const char* kOfPredicate[] = {"predicate.tool", "predicate.catalogue",
                                                 "predicate.created", "predicate.terms",
                                                 "predicate.archives"};
  static constexpr const char* kOfArchive[] = {
      "predicate.archives[].archive", "predicate.archives[].verdict", "predicate.archives[].files",
      "predicate.archives[].findings"};

  // Notes members that must be there; of others there may be any number.
  void See(std::string_view pattern) {
    for (const std::span<const char* const> members :
         {std::span<const char* const>(kOfStatement), std::span<const char* const>(kOfPredicate),
          std::span<const char* const>(kOfArchive)}) {
      if (std::ranges::count(members, pattern) > 0) seen_.insert(std::string(pattern));
    }
  }

  std::string Missing(std::span<const char* const> members) const {
    for (const std::string_view member : members) {
      if (seen_.contains(member)) continue;
      return "has no member " + std::string(member.substr(member.rfind('.') + 1));
    }
    return "";
  }

  static std::string NotText(const Json& value) {
    return value.is_string() ? "" : "is not a string";
  }

  std::string OnStatementValue(std::string_view pattern, const Json& value) {
    if (pattern == "subject[]") {
      JsonMembers members(value);
      const std::string name = members.Text("name");
      const Json* digest = members.Find("digest");
      if (digest == nullptr) members.Fail("digest", "is missing");
      if (!members.wrong().empty()) return members.wrong();
      JsonMembers digests(*digest);
      const Sha256Digest sha256 = digests.Parsed("sha256", &ParseSha256);
      if (!digests.wrong().empty()) return "digest: " + digests.wrong();
      subjects_.Add(name, sha256);
    } else if (pattern == "_type" && value != kStatementType) {
      is_unsupported_ = true;
      return std::string("is not ") + kStatementType;
    } else if (pattern == "predicateType" && value != kPredicateType) {
      is_unsupported_ = true;
      return std::string("is not ") + kPredicateType +
             ": this statement is no certificate of "
             "archives, or one of a later version";
    } else if (pattern == "payloadType") {
      is_unsupported_ = true;
      return "this is an envelope (DSSE): give the statement in it, which `base64 -d` makes of its "
             "member payload";
    }
    return "";
  }

  std::string OnPredicateValue(std::string_view pattern, const Json& value) {
    CertificateHead& head = read_.head;
    if (pattern == "predicate.created") {
      if (std::string wrong = NotText(value); !wrong.empty()) return wrong;
      head.created = FromJsonString(value.get_ref<const std::string&>());
    } else if (pattern == "predicate.tool") {
      JsonMembers members(value);
      head.tool_version = members.Text("version");
      return members.wrong();
    } else if (pattern == "predicate.catalogue") {
      JsonMembers members(value);
      head.catalogue_version = members.Text("version");
      head.catalogue_digest = members.Text("digest");
      return members.wrong();
    } else if (pattern == "predicate.terms") {
      return ReadTerms(value, &head.terms);
    } else if (pattern == "predicate.policy") {
      JsonMembers members(value);
      CertifiedPolicy& policy = head.policy.emplace();
      policy.use.file = members.Text("file");
      policy.sha256 = members.Parsed("sha256", &ParseSha256);
      return members.wrong();
    }
    return "";
  }

  std::string OnArchiveValue(std::string_view pattern, const Json& value) {
    if (pattern == "predicate.archives[].archive") {
      if (std::string wrong = NotText(value); !wrong.empty()) return wrong;
      archive_.name = FromJsonString(value.get_ref<const std::string&>());
      if (!StaysBelow(archive_.name)) {
        return "is no path below the root: neither absolute, nor with empty parts, \".\" or \"..\"";
      }
      if (read_.archives > 0 && !ComesBefore(last_, archive_.name)) {
        return "is out of order, or there twice: it does not come after " + last_;
      }
    } else if (pattern == "predicate.archives[].verdict") {
      if (std::string wrong = NotText(value); !wrong.empty()) return wrong;
      const auto verdict = ParseVerdict(value.get_ref<const std::string&>());
      if (!verdict) return "is unknown";
      archive_.verdict = *verdict;
    } else if (pattern == "predicate.archives[].files[]") {
      CertifiedFile file;
      if (std::string wrong = ReadFile(value, &file); !wrong.empty()) return wrong;
      if (!archive_.files.empty() && archive_.files.back().name >= file.name) {
        return "is out of order, or there twice: it does not come after " +
               archive_.files.back().name;
      }
      archive_.files.push_back(std::move(file));
    } else if (pattern == "predicate.archives[].findings[]") {
      return ReadFinding(value, &archive_.findings.emplace_back());
    } else if (pattern == "predicate.archives[].unmet[]") {
      return ReadUnmet(value, &archive_.unmet.emplace_back());
    }
    return "";
  }

  std::string EndArchive() {
    if (std::string wrong = Missing(kOfArchive); !wrong.empty()) return wrong;
    const std::string base = NameIn(archive_.name);
    const std::string directory = DirectoryOf(archive_.name);
    for (const CertifiedFile& file : archive_.files) {
      const auto name = archive::ParseFileName(file.name);
      if (!name || name->base != base) {
        return "has a file whose name is not that of one of its files: " + file.name;
      }
      const bool plain = name->compression == archive::Compression::kNone;
      if (plain && file.content != file.stored) {
        return "contradicts itself: " + file.name + " is not compressed and has another content";
      }
      files_.Add(archive::JoinPath(directory, file.name), file.stored.sha256);
    }
    const bool certified = archive_.verdict != Verdict::kNone;
    if (certified == archive_.files.empty()) {
      return certified ? "has a verdict and no files" : "has files and no verdict";
    }
    last_ = archive_.name;
    ++read_.archives;
    visit_(std::move(archive_));
    return "";
  }

  std::string EndStatement() {
    if (std::string wrong = Missing(kOfStatement); !wrong.empty()) return wrong;
    read_.files = files_.size();
    if (subjects_.size() != files_.size()) {
      return "contradicts itself: it has " + std::to_string(subjects_.size()) +
             " subjects, and the archives of the predicate have " + std::to_string(files_.size()) +
             " files";
    }
    if (subjects_.Finish() == files_.Finish()) return "";
    return "contradicts itself: the subjects are not the files of the predicate's archives, by "
           "name, digest and order";
  }

  std::size_t most_entry_;
  const std::function<void(CertifiedArchive)>& visit_;
  ReadCertificate read_;
  CertifiedArchive archive_;  // that is read
  std::string last_;          // the name of the one before
  std::uint64_t entry_begin_ = 0;
  std::set<std::string, std::less<>> seen_;  // patterns
  FileList subjects_;
  FileList files_;
  bool exceeds_budget_ = false;
  bool is_unsupported_ = false;
};

}  // namespace

Result<ReadCertificate> ReadCertificateFrom(Bytes document, const std::string& name,
                                            std::size_t most_entry,
                                            const std::function<void(CertifiedArchive)>& visit) {
  Reader reader(most_entry, visit);
  if (std::optional<Status> error = ReadJson(document, name, reader)) {
    if (reader.exceeds_budget()) error->kind = Status::Kind::kBudget;
    if (reader.is_unsupported()) error->kind = Status::Kind::kUnsupported;
    return tl::unexpected(*std::move(error));
  }
  return reader.Take();
}

}  // namespace pmproof::validator
