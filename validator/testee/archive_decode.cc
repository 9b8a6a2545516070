// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

#include "reference/archive/file_set.h"
#include "reference/archive/set_member.h"
#include "validator/dump/dump_archive.h"
#include "validator/testee/operation.h"
#include "validator/testee/reject_class.h"
#include "validator/testee/request_reader.h"
#include "validator/text/json_text.h"

// Operation archive.decode: every record of every file of an archive.

namespace pmproof::validator {
namespace {

constexpr std::size_t kLongestResult = std::size_t{32} << 20;

// Keeps what is written up to a length, and takes no more.
class BoundedText final : public std::streambuf {
 public:
  const std::string& text() const { return text_; }
  bool is_full() const { return full_; }

 protected:
  std::streamsize xsputn(const char* from, std::streamsize count) override {
    const auto size = static_cast<std::size_t>(count);
    full_ = full_ || size > kLongestResult - text_.size();
    if (full_) return 0;
    text_.append(from, size);
    return count;
  }
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? traits_type::not_eof(c) : traits_type::eof();
  }

 private:
  std::string text_;
  bool full_ = false;
};

// By what file it is in, where the clause has no class of its own.
std::string_view ClassIn(const std::string& file) {
  const auto name = archive::ParseFileName(file.substr(file.rfind('/') + 1));
  if (!name) return "damaged";
  if (name->part == archive::kMetaPart) return "metadata.record";
  return name->part == archive::kIndexPart ? "index.entry" : "record.content";
}

Outcome RefusalOf(const Status& problem) {
  Outcome outcome = OutcomeOf(problem);
  if (auto* const reject = std::get_if<Reject>(&outcome)) {
    if (reject->error_class == "damaged") reject->error_class = ClassIn(problem.file);
    reject->message = problem.ToText();
  }
  return outcome;
}

// The lines of a dump, file by file.
Json FilesOf(const std::string& dump) {
  Json files = Json::array();
  std::string file;
  for (std::size_t at = 0; at < dump.size();) {
    const std::size_t end = dump.find('\n', at);
    Json record = ParseOrderedJson(std::string_view(dump).substr(at, end - at));
    at = end + 1;
    const std::string in = record["file"].get<std::string>();
    if (files.empty() || in != file) {
      file = in;
      const auto name = archive::ParseFileName(in.substr(in.rfind('/') + 1));
      files.push_back({{"part", PartText(name ? name->part : archive::kWholeArchive)},
                       {"records", Json::array()}});
    }
    if (record["type"] == "end") continue;
    record.erase("file");
    files.back()["records"].push_back(std::move(record));
  }
  return files;
}

// Names that share their bytes can be far longer than the archive.
std::uint64_t LengthOfTangledNames(const archive::Metadata& metadata) {
  std::uint64_t length = 0;
  for (const archive::IndomRecord& record : metadata.indoms) {
    for (std::uint32_t i = 0; record.tangled() && i < record.count; ++i) {
      length += record.Name(i).value_or("").size();
    }
  }
  return length;
}

Failure TooLong() {
  return {"the result is longer than " + std::to_string(kLongestResult) + " bytes"};
}

class ArchiveDecode final : public Operation {
 public:
  explicit ArchiveDecode(const archive::Storage& storage) : storage_(storage) {}

  std::string_view name() const override { return "archive.decode"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.KnowKeys(reader.args(), "args", {});
    const std::vector<std::string> paths = reader.Archives();
    if (paths.size() > 1) reader.Fail("input.paths: one archive is decoded at a time");
    if (reader.stopped()) return reader.Stop();

    // What readers cannot open is refused as they refuse it.
    const archive::OpenedMember member =
        archive::OpenMember(storage_, archive::FoundArchive(storage_, paths.front()));
    if (member.error) return RefusalOf(*member.error);
    if (LengthOfTangledNames(member.metadata) > kLongestResult) return TooLong();
    BoundedText text;
    std::ostream stream(&text);
    std::vector<Status> problems;
    {
      TextBuffer out(stream);
      const auto writer = MakeJsonDump(out, {.full = true});
      auto dumped = DumpArchive(storage_, paths.front(), Quoting::kJson, *writer);
      if (!dumped) return RefusalOf(dumped.error());
      problems = std::move(*dumped);
    }
    if (text.is_full()) return TooLong();
    if (!problems.empty()) return RefusalOf(problems.front());
    return Answered{DumpJson({{"files", FilesOf(text.text())}}, -1)};
  }

 private:
  const archive::Storage& storage_;
};

}  // namespace

std::unique_ptr<Operation> MakeArchiveDecode(const archive::Storage& storage) {
  return std::make_unique<ArchiveDecode>(storage);
}

}  // namespace pmproof::validator
