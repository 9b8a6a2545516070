// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "reference/archive/file_set.h"
#include "reference/core/bytes.h"
#include "validator/synthesis/shrink_draft.h"

namespace pmproof::validator {
namespace {

using archive::kIndexPart;
using archive::kLengthWord;
using archive::kMinRecord;

// 2 or 3 as the label says; 0 if there is none.
int VersionOf(Bytes content) {
  if (content.size() < kMinRecord) return 0;
  const std::uint32_t magic = LoadU32(content.data() + kLengthWord);
  const int version = static_cast<int>(magic & 0xff);
  if ((magic & 0xffffff00) != archive::kLabelMagic) return 0;
  return version == 2 || version == 3 ? version : 0;
}

// Whether a record of at least two equal length words is at `at`; its length, or 0.
std::size_t FrameAt(Bytes content, std::size_t at) {
  const std::size_t left = content.size() - at;
  if (left < kMinRecord) return 0;
  const std::size_t length = LoadU32(content.data() + at);
  if (length < kMinRecord || length > left) return 0;
  return LoadU32(content.data() + at + length - kLengthWord) == length ? length : 0;
}

// Where records go on after damage at `at`: at the next place with a record that another one, or
// the end, follows.
std::size_t Resume(Bytes content, std::size_t at) {
  const std::size_t size = content.size();
  const auto sound = [&](std::size_t place) {
    const std::size_t length = FrameAt(content, place);
    return length > 0 && (place + length == size || FrameAt(content, place + length) > 0);
  };
  if (size - at >= kLengthWord) {
    const std::size_t length = LoadU32(content.data() + at);
    const bool inside = length >= kMinRecord && length <= size - at;
    if (inside && (at + length == size || sound(at + length))) return at + length;
  }
  for (std::size_t place = at + 1; place < size; ++place) {
    if (sound(place)) return place;
  }
  return size;
}

Status TooLarge(const std::string& path) {
  return {.kind = Status::Kind::kBudget,
          .file = path,
          .message = "with this file the archive is too large to be shrunk"};
}

// The whole content; nothing if it does not decompress.
Result<std::optional<archive::Buffer>> Decompress(const archive::StoredFile& file,
                                                  const std::string& path,
                                                  archive::Compression compression,
                                                  std::uint64_t limit) {
  constexpr std::size_t kStep = std::size_t{1} << 20;
  const auto source = archive::MakeSource(file, path, compression);
  archive::Buffer content;
  while (true) {
    const Result<Bytes> window = source->Window(kStep);
    if (!window) {
      if (window.error().kind == Status::Kind::kBudget) return tl::unexpected(window.error());
      return std::nullopt;
    }
    if (window->empty()) return content;
    if (content.size() + window->size() > limit) {
      return tl::unexpected(TooLarge(path));
    }
    content.insert(content.end(), window->begin(), window->end());
    source->Skip(window->size());
  }
}

// ARC-1010: BASE.NUMBER.ANYTHING, which is taken for a volume that is compressed in an unknown way.
bool IsStranger(std::string_view suffix) {
  const std::size_t digits = suffix.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && suffix[digits] == '.';
}

}  // namespace

const Chunk* ShrinkInput::New(Chunk::Kind kind, Bytes content, std::uint64_t begin,
                              std::uint64_t end) {
  const auto bytes =
      content.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  return &chunks_.emplace_back(Chunk{kind, bytes, begin, end});
}

std::vector<const Chunk*> ShrinkInput::Cut(Bytes content, const DraftFile& file) {
  std::vector<const Chunk*> chunks;
  std::size_t at = 0;
  const auto add = [&](Chunk::Kind kind, std::size_t end) {
    if (end > at) chunks.push_back(New(kind, content, at, end));
    at = end;
  };
  if (file.version != 0) {
    const std::size_t framed = FrameAt(content, 0);
    const std::size_t label = archive::LayoutOf(file.version).label;
    add(Chunk::Kind::kLabel, framed != 0 ? framed : std::min(label, content.size()));
  }
  if (file.part == kIndexPart && file.version != 0) {
    const std::size_t entry = archive::LayoutOf(file.version).index_entry;
    while (content.size() - at >= entry) add(Chunk::Kind::kEntry, at + entry);
    add(Chunk::Kind::kBytes, content.size());
    return chunks;
  }
  while (at < content.size()) {
    const std::size_t length = FrameAt(content, at);
    if (length > 0) {
      add(Chunk::Kind::kRecord, at + length);
    } else {
      add(Chunk::Kind::kBytes, Resume(content, at));
    }
  }
  return chunks;
}

std::optional<Status> ShrinkInput::Add(const archive::Storage& storage, const std::string& path,
                                       DraftFile file) {
  auto opened = storage.Open(path);
  file.directory = !opened;
  if (!file.directory) {
    stored_.push_back(*std::move(opened));
    const Bytes stored = stored_.back()->bytes();
    const bool compressed = file.compression != archive::Compression::kNone;
    Bytes content = stored;
    bool readable = file.part != archive::kWholeArchive;
    if (compressed) {
      auto decompressed = Decompress(*stored_.back(), path, file.compression, left_);
      if (!decompressed) return decompressed.error();
      readable = readable && decompressed->has_value();
      if (readable) content = contents_.emplace_back(**std::move(decompressed));
      if (!stored.empty()) {
        file.storage = {New(Chunk::Kind::kBytes, stored, 0, stored.size())};
      }
    }
    if (content.size() > left_) {
      return TooLarge(path);
    }
    left_ -= content.size();
    file.size = content.size();
    if (readable) {
      file.version = VersionOf(content);
      file.chunks = Cut(content, file);
    } else if (!compressed && !content.empty()) {
      file.chunks = {New(Chunk::Kind::kBytes, content, 0, content.size())};
    }
  }
  draft_.files.push_back(std::move(file));
  return std::nullopt;
}

std::optional<Status> ShrinkInput::AddArchive(const archive::Storage& storage,
                                              const std::string& name, std::size_t member) {
  archive::IgnoringReporter ignoring;
  const Result<archive::FileSet> set = archive::FindArchive(storage, name, ignoring);
  if (!set) return set.error();
  const auto entries = storage.List(set->directory);
  if (!entries) return entries.error();
  const std::string prefix = set->base + ".";
  for (const archive::DirectoryEntry& entry : *entries) {
    if (!entry.name.starts_with(prefix)) continue;
    DraftFile file;
    file.member = member;
    file.suffix = entry.name.substr(prefix.size());
    const std::string path = archive::JoinPath(set->directory, entry.name);
    const auto parsed = archive::ParseFileName(entry.name);
    if (parsed && parsed->base == set->base) {
      file.part = file.number = parsed->part;
      file.compression = parsed->compression;
      const auto chosen = set->parts.find(parsed->part);
      file.addressed = chosen != set->parts.end() && chosen->second.path == path;
    } else if (parsed || entry.kind != archive::DirectoryEntry::Kind::kFile ||
               !IsStranger(file.suffix)) {
      continue;
    }
    if (auto error = Add(storage, path, std::move(file))) return error;
  }
  return std::nullopt;
}

Result<std::unique_ptr<ShrinkInput>> ShrinkInput::Read(const archive::Storage& storage,
                                                       const std::vector<std::string>& names,
                                                       std::uint64_t limit) {
  auto input = std::make_unique<ShrinkInput>();
  input->left_ = limit;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (auto error = input->AddArchive(storage, names[i], i)) return tl::unexpected(*error);
  }
  return input;
}

const Chunk* ShrinkInput::Edit(const Chunk& chunk, archive::Buffer bytes) {
  const archive::Buffer& kept = edits_.emplace_back(std::move(bytes));
  return &chunks_.emplace_back(Chunk{chunk.kind, kept, chunk.begin, chunk.end});
}

void ShrinkInput::Forget() {
  edits_.pop_back();
  chunks_.pop_back();
}

}  // namespace pmproof::validator
