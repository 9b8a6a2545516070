// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATION_H_
#define PMPROOF_GENERATORS_MUTATION_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/archive_image.h"
#include "generators/random.h"
#include "reference/archive/encode.h"
#include "reference/core/clause.h"
#include "reference/core/status.h"

// Edits of a sound archive, each of which breaks one rule of the catalogue (section 14 of
// reference/spec/archive.md) and, apart from the rules that the catalogue declares to fall with it
// ("together"), no other.

namespace pmproof::generators {

// The files that come out, by their names in OUT's directory ("BASE.meta"). Further archives, for
// the rules on sets, have a base of their own; a directory in place of a file is not bytes.
struct MutatedFiles {
  std::string base;
  std::map<std::string, archive::Buffer> files;
  std::vector<std::string> directories;

  archive::Buffer& of(const std::string& suffix) { return files.at(base + "." + suffix); }
};

// Why an archive cannot be edited so, as the end of a sentence, or nothing: "it has no label
// record". What lacks it is left as it was.
using NotApplicable = std::optional<std::string>;

// A mutation edits an archive in one of three forms, the first that can express it: its models (the
// offsets of the index follow the records), its bytes, or its set of files. Where there is a choice
// - which record, which bit - `random` makes it. Whatever an edit needs it looks for or adds; it
// does not rely on the archive being that of ARC-1000.
struct Mutation {
  Clause rule;
  std::string_view edit;  // what it does, for people: "the trailing length of a record is other"
  NotApplicable (*plan)(ArchivePlan& plan, Random& random) = nullptr;
  // `plan` is what the image was encoded from.
  NotApplicable (*image)(ArchiveImage& image, const ArchivePlan& plan, Random& random) = nullptr;
  NotApplicable (*files)(MutatedFiles& files, const ArchivePlan& plan, Random& random) = nullptr;
  // 2 or 3 where the rule or the edit exists in archives of this version only; 0: in both.
  int version = 0;
  // What it makes has gigabytes: tests try it on few archives.
  bool is_large = false;
};

// Applies a mutation. Error: kUsage with the rule and what the archive lacks.
Result<MutatedFiles> Mutate(const Mutation& mutation, ArchivePlan plan, const std::string& base,
                            Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATION_H_
