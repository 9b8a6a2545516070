// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/shrink_draft.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "reference/archive/compressing_output.h"
#include "reference/archive/file_set.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;

// Where the chunks of a file are, before and after.
class Places {
 public:
  explicit Places(const DraftFile& file) : file_(file) {
    for (const Chunk* chunk : file.chunks) {
      starts_.push_back(end_);
      end_ += chunk->bytes.size();
    }
  }

  // Where the byte is now that was at `offset`; nothing if it was left out.
  std::optional<std::uint64_t> Find(std::uint64_t offset) const {
    if (offset >= file_.size) return end_ + (offset - file_.size);
    const std::size_t i = After(offset);
    if (i == 0 || file_.chunks[i - 1]->end <= offset) return std::nullopt;
    const Chunk& chunk = *file_.chunks[i - 1];
    const std::uint64_t size = chunk.bytes.size();
    return starts_[i - 1] + std::min(offset - chunk.begin, size > 0 ? size - 1 : 0);
  }

  // The same, or where what followed it begins.
  std::uint64_t FindOrNext(std::uint64_t offset) const {
    if (const auto found = Find(offset)) return *found;
    const std::size_t i = After(offset);
    return i < starts_.size() ? starts_[i] : end_;
  }

 private:
  // The first chunk that lay wholly after `offset`.
  std::size_t After(std::uint64_t offset) const {
    const auto found =
        std::upper_bound(file_.chunks.begin(), file_.chunks.end(), offset,
                         [](std::uint64_t at, const Chunk* chunk) { return at < chunk->begin; });
    return static_cast<std::size_t>(found - file_.chunks.begin());
  }

  const DraftFile& file_;
  std::vector<std::uint64_t> starts_;
  std::uint64_t end_ = 0;
};

// Lets the index entries of one archive point to where their records are now.
class Entries {
 public:
  Entries(const Draft& draft, std::size_t member) {
    for (const DraftFile& file : draft.files) {
      if (file.member != member || !file.addressed || file.chunks.empty()) continue;
      if (file.present) {
        places_.emplace(file.part, Places(file));
        numbers_[file.part] = file.number;
      } else if (file.part >= 0) {
        left_out_.push_back(file.part);
      }
    }
  }

  // Appends the entry, unless what it pointed to was left out (ARC-451, ARC-452).
  void Append(Bytes entry, int version, Buffer* out) const {
    const std::size_t volume_at = archive::LayoutOf(version).timestamp;
    const std::size_t meta_at = volume_at + 4;
    const std::size_t data_at = meta_at + (version == 3 ? 8 : 4);
    const auto load = [&](std::size_t at) {
      return version == 3 ? LoadU64(entry.data() + at) : LoadU32(entry.data() + at);
    };
    const archive::Part volume = LoadI32(entry.data() + volume_at);
    std::uint64_t meta = load(meta_at);
    std::uint64_t data = load(data_at);
    if (std::ranges::find(left_out_, volume) != left_out_.end()) return;
    if (const auto found = places_.find(volume); found != places_.end() && volume >= 0) {
      const std::optional<std::uint64_t> place = found->second.Find(data);
      if (!place) return;
      data = *place;
    }
    // Metadata that an entry begins with may go: it begins with what followed then.
    if (const auto found = places_.find(archive::kMetaPart); found != places_.end())
      meta = found->second.FindOrNext(meta);
    const std::size_t begin = out->size();
    out->insert(out->end(), entry.begin(), entry.end());
    const auto store = [&](std::size_t at, std::uint64_t offset) {
      std::uint8_t* place = out->data() + begin + at;
      if (version == 3) return StoreU64(place, offset);
      StoreU32(place, static_cast<std::uint32_t>(offset));
    };
    if (const auto number = numbers_.find(volume); number != numbers_.end())
      StoreU32(out->data() + begin + volume_at, static_cast<std::uint32_t>(number->second));
    store(meta_at, meta);
    store(data_at, data);
  }

 private:
  std::map<archive::Part, Places> places_;
  std::map<archive::Part, archive::Part> numbers_;
  std::vector<archive::Part> left_out_;
};

// Appends a label; what it says of the volume is the number that the file has now (ARC-017).
void AppendLabel(const Chunk& label, const DraftFile& file, Buffer* out) {
  // After length, magic, pid and start (ARC-100, ARC-101).
  const std::size_t at = 12 + archive::LayoutOf(file.version).timestamp;
  const std::size_t begin = out->size();
  out->insert(out->end(), label.bytes.begin(), label.bytes.end());
  if (file.number == file.part || label.bytes.size() < at + 4) return;
  if (LoadI32(label.bytes.data() + at) == file.part)
    StoreU32(out->data() + begin + at, static_cast<std::uint32_t>(file.number));
}

Result<Buffer> Compress(const Buffer& content, archive::Compression compression) {
  archive::MemoryStorage storage;
  archive::MemoryOutput output(storage);
  const std::string name = "content";
  auto file = output.Create(name);
  if (file) file = archive::MakeCompressing(*std::move(file), compression);
  if (!file) return tl::unexpected(file.error());
  if (const auto error = (*file)->Write(content)) return tl::unexpected(*error);
  if (const auto error = (*file)->Close()) return tl::unexpected(*error);
  return std::move(storage.files.at(name));
}

}  // namespace

std::uint64_t Draft::bytes() const {
  std::uint64_t sum = 0;
  for (const DraftFile& file : files) {
    if (!file.present) continue;
    for (const Chunk* chunk : file.chunks.empty() ? file.storage : file.chunks)
      sum += chunk->bytes.size();
  }
  return sum;
}

std::uint64_t Draft::records() const {
  std::uint64_t sum = 0;
  for (const DraftFile& file : files) {
    if (!file.present) continue;
    for (const Chunk* chunk : file.chunks) sum += chunk->kind == Chunk::Kind::kRecord ? 1 : 0;
  }
  return sum;
}

std::vector<std::string> Draft::MemberNames(const std::string& base) const {
  std::vector<std::string> names;
  for (const DraftFile& file : files) {
    if (file.member >= names.size()) names.resize(file.member + 1);
    if (file.present) names[file.member] = base;
  }
  std::size_t number = 0;
  for (std::string& name : names) {
    if (!name.empty() && ++number > 1) name += "-" + std::to_string(number);
  }
  return names;
}

void Draft::CloseUp(std::size_t volume) {
  files[volume].present = false;
  for (DraftFile& file : files) {
    if (file.member != files[volume].member || file.number <= files[volume].number) continue;
    const std::string digits = std::to_string(file.number--);
    if (file.suffix.starts_with(digits))
      file.suffix.replace(0, digits.size(), std::to_string(file.number));
  }
}

Result<NamedFiles> Render(const Draft& draft, const std::string& base) {
  NamedFiles named;
  const std::vector<std::string> names = draft.MemberNames(base);
  std::vector<Entries> entries;
  for (std::size_t member = 0; member < names.size(); ++member) entries.emplace_back(draft, member);
  for (const DraftFile& file : draft.files) {
    if (!file.present) continue;
    const std::string name = names[file.member] + "." + file.suffix;
    if (file.directory) {
      named.directories.push_back(name);
      continue;
    }
    Buffer& content = named.files[name];
    std::size_t size = 0;
    for (const Chunk* chunk : file.Current()) size += chunk->bytes.size();
    content.reserve(size);
    for (const Chunk* chunk : file.Current()) {
      if (chunk->kind == Chunk::Kind::kEntry) {
        entries[file.member].Append(chunk->bytes, file.version, &content);
      } else if (chunk->kind == Chunk::Kind::kLabel) {
        AppendLabel(*chunk, file, &content);
      } else {
        content.insert(content.end(), chunk->bytes.begin(), chunk->bytes.end());
      }
    }
    if (file.form != Form::kCompressed) continue;
    auto compressed = Compress(content, file.compression);
    if (!compressed) return tl::unexpected(compressed.error());
    content = *std::move(compressed);
  }
  return named;
}

}  // namespace pmproof::validator
