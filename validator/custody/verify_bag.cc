// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "reference/archive/file_set.h"
#include "reference/core/bytes.h"
#include "reference/core/printable.h"
#include "validator/custody/bag.h"
#include "validator/custody/tree.h"

namespace pmproof::validator {
namespace {

constexpr std::size_t kMostDepth = 64;

// Calls visit(line) for each line, without its end: LF, CR or both (section 2.1).
template <typename Visit>
void ForEachLine(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(end);
    if (text.starts_with("\r\n")) text.remove_prefix(1);
    if (!text.empty()) text.remove_prefix(1);
  }
}

// As Encoded() has it; hexadecimal digits in either case.
std::string Decoded(std::string_view text) {
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i, 3);
    char c = text[i];
    if (rest == "%0A" || rest == "%0a") c = '\n';
    if (rest == "%0D" || rest == "%0d") c = '\r';
    if (c != text[i] || rest == "%25") i += 2;
    path += c;
  }
  return path;
}

struct PayloadFile {
  std::string path;
  bool listed = false;       // in any manifest
  bool in_this_one = false;  // in the manifest that is read
};

class Verification {
 public:
  explicit Verification(const archive::Storage& bag) : bag_(bag) {}

  Result<BagCheck> Run() {
    if (auto error = ReadDeclaration()) return tl::unexpected(*std::move(error));
    if (auto error = ListPayload("data", 0)) return tl::unexpected(*std::move(error));
    std::ranges::sort(payload_, {}, &PayloadFile::path);
    const auto entries = bag_.List(".");
    if (!entries) return tl::unexpected(entries.error());
    for (const archive::DirectoryEntry& entry : *entries) {
      if (auto error = ReadTagFile(entry)) return tl::unexpected(*std::move(error));
    }
    if (check_.algorithms.empty()) Problem("", "the bag has no manifest of SHA-256 or SHA-512");
    for (const PayloadFile& file : payload_) {
      if (!file.listed) Problem(file.path, "is in no manifest");
    }
    check_.files = payload_.size();
    for (const PayloadFile& file : payload_) {
      if (const auto open = bag_.Open(file.path)) check_.bytes += (*open)->bytes().size();
    }
    if (oxum_) CheckOxum();
    return std::move(check_);
  }

 private:
  void Problem(const std::string& path, const std::string& what) {
    if (check_.problems.size() >= BagCheck::kMostProblems) {
      ++check_.more;
      return;
    }
    check_.problems.push_back(path.empty() ? what : Printable(path, 512) + ": " + what);
  }

  // The text of a tag file; nothing, and told, if it is not there.
  Result<std::unique_ptr<archive::StoredFile>> OpenTagFile(const std::string& path) {
    auto file = bag_.Open(path);
    if (!file && file.error().kind == Status::Kind::kNotFound) Problem(path, "is missing");
    return file;
  }

  std::optional<Status> ReadDeclaration() {
    const auto file = OpenTagFile("bagit.txt");
    if (!file) {
      if (file.error().kind == Status::Kind::kNotFound) return std::nullopt;
      return file.error();
    }
    std::vector<std::string> lines;
    ForEachLine(AsText((*file)->bytes()), [&](std::string_view line) {
      if (lines.size() < 3) lines.emplace_back(line.substr(0, 200));
    });
    const bool known = lines.size() == 2 && lines[1] == "Tag-File-Character-Encoding: UTF-8" &&
                       (lines[0] == "BagIt-Version: 1.0" || lines[0] == "BagIt-Version: 0.97");
    if (!known) {
      Problem("bagit.txt",
              "is not that of a bag of version 0.97 or 1.0 whose tag files are in UTF-8");
    }
    all_in_each_ = lines.empty() || lines[0] != "BagIt-Version: 0.97";
    return (*file)->lost();
  }

  std::optional<Status> ListPayload(const std::string& directory, std::size_t depth) {
    const auto entries = bag_.List(directory);
    if (!entries) {
      if (entries.error().kind != Status::Kind::kNotFound) return entries.error();
      Problem(directory, "is missing");
      return std::nullopt;
    }
    for (const archive::DirectoryEntry& entry : *entries) {
      const std::string path = archive::JoinPath(directory, entry.name);
      switch (entry.kind) {
        case archive::DirectoryEntry::Kind::kFile:
          payload_.push_back({path});
          break;
        case archive::DirectoryEntry::Kind::kDirectory:
          if (depth == kMostDepth) {
            Problem(path, "lies too deep to be looked into");
          } else if (auto error = ListPayload(path, depth + 1)) {
            return error;
          }
          break;
        case archive::DirectoryEntry::Kind::kOther:
          Problem(path, "is neither a file nor a directory");
          break;
      }
    }
    return std::nullopt;
  }

  std::optional<Status> ReadTagFile(const archive::DirectoryEntry& entry) {
    std::string_view algorithm = entry.name;
    if (entry.kind != archive::DirectoryEntry::Kind::kFile) return std::nullopt;
    if (entry.name == "bag-info.txt") return ReadInfo();
    const bool of_tags = algorithm.starts_with("tagmanifest-");
    if (!of_tags && !algorithm.starts_with("manifest-")) return std::nullopt;
    if (!algorithm.ends_with(".txt")) return std::nullopt;
    algorithm.remove_prefix(algorithm.find('-') + 1);
    algorithm.remove_suffix(4);
    for (const BagDigest known : {BagDigest::kSha256, BagDigest::kSha512}) {
      if (algorithm == ToText(known)) return ReadManifest(entry.name, known, of_tags);
    }
    Problem(entry.name, "is of an algorithm that is not SHA-256 or SHA-512, and is not verified");
    return std::nullopt;
  }

  std::optional<Status> ReadInfo() {
    const auto file = bag_.Open("bag-info.txt");
    if (!file) return file.error();
    ForEachLine(AsText((*file)->bytes()), [&](std::string_view line) {
      constexpr std::string_view kLabel = "Payload-Oxum:";
      if (!line.starts_with(kLabel)) return;
      line.remove_prefix(kLabel.size());
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      oxum_ = std::string(line.substr(0, 64));
    });
    return (*file)->lost();
  }

  std::optional<Status> ReadManifest(const std::string& name, BagDigest algorithm, bool of_tags) {
    const auto file = bag_.Open(name);
    if (!file) return file.error();
    if (!of_tags) check_.algorithms.emplace_back(ToText(algorithm));
    for (PayloadFile& each : payload_) each.in_this_one = false;
    std::optional<Status> error;
    std::set<std::string> tags;
    std::uint64_t number = 0;
    ForEachLine(AsText((*file)->bytes()), [&](std::string_view line) {
      ++number;
      if (error || line.empty()) return;
      const std::size_t digest = algorithm == BagDigest::kSha256 ? 64 : 128;
      const std::size_t end = line.find_first_of(" \t");
      const std::size_t path = line.find_first_not_of(" \t", end);
      if (end != digest || path == std::string_view::npos ||
          line.substr(0, end).find_first_not_of("0123456789abcdefABCDEF") !=
              std::string_view::npos) {
        Problem(name, "line " + std::to_string(number) + " is not a digest and a path");
        return;
      }
      // Some tools put an asterisk before the path of what they read as binary.
      std::string_view text = line.substr(path);
      if (text.starts_with("*")) text.remove_prefix(1);
      error = Hold(name, Decoded(text), line.substr(0, end), algorithm, of_tags, &tags);
    });
    if (error) return error;
    for (const PayloadFile& each : payload_) {
      if (!of_tags && all_in_each_ && !each.in_this_one) Problem(each.path, "is not in " + name);
    }
    return (*file)->lost();
  }

  // A line of a manifest held against the file that it names.
  std::optional<Status> Hold(const std::string& manifest, const std::string& path,
                             std::string_view digest, BagDigest algorithm, bool of_tags,
                             std::set<std::string>* tags) {
    const std::string in = " (" + manifest + ")";
    if (!StaysBelow(path) || path.starts_with("data/") == of_tags) {
      Problem(path, "is no path of " + std::string(of_tags ? "a tag file" : "the payload") + in);
      return std::nullopt;
    }
    if (of_tags) {
      if (!tags->insert(path).second) {
        Problem(path, "is there twice" + in);
        return std::nullopt;
      }
    } else {
      const auto found = std::ranges::lower_bound(payload_, path, {}, &PayloadFile::path);
      if (found == payload_.end() || found->path != path) {
        Problem(path, "is missing" + in);
        return std::nullopt;
      }
      if (std::exchange(found->in_this_one, true)) {
        Problem(path, "is there twice" + in);
        return std::nullopt;
      }
      found->listed = true;
    }
    const Result<std::string> is = HashBagFile(bag_, path, algorithm);
    if (!is) {
      if (is.error().kind != Status::Kind::kNotFound) return is.error();
      Problem(path, "is missing" + in);
      return std::nullopt;
    }
    const bool same = std::ranges::equal(*is, digest, [](char a, char b) {
      return a == (b >= 'A' && b <= 'F' ? static_cast<char>(b - 'A' + 'a') : b);
    });
    if (!same) Problem(path, "its content is another one" + in);
    return std::nullopt;
  }

  void CheckOxum() {
    const std::string is = std::to_string(check_.bytes) + "." + std::to_string(check_.files);
    if (*oxum_ != is) {
      Problem("bag-info.txt",
              "Payload-Oxum is " + Printable(*oxum_) + ", and the payload is " + is);
    }
  }

  const archive::Storage& bag_;
  BagCheck check_;
  std::vector<PayloadFile> payload_;  // by path
  bool all_in_each_ = true;           // since version 1.0 each manifest lists all of the payload
  std::optional<std::string> oxum_;
};

}  // namespace

Result<BagCheck> VerifyBag(const archive::Storage& bag) { return Verification(bag).Run(); }

}  // namespace pmproof::validator
