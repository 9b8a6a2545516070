// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_GENERATE_H_
#define PMPROOF_GENERATORS_GENERATE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/archive_sink.h"
#include "reference/archive/index_builder.h"
#include "reference/archive/model.h"
#include "reference/core/clause.h"
#include "reference/core/status.h"

// Archives out of thin air: a recipe stands for one archive, or one set of archives, the same on
// every machine.

namespace pmproof::generators {

struct Recipe {
  std::uint64_t seed = 1;
  std::vector<std::string> scenarios;  // names of AllScenarios(); "plain" is always there
  // Samples of each archive; prologue, epilogue, marks and what scenarios put in between come on
  // top. Of these and `size` one at most; neither: kDefaultRecords.
  std::optional<std::uint64_t> records;
  std::optional<std::uint64_t> metrics;    // of "plain"
  std::optional<std::uint64_t> instances;  // of "plain", and how wide other domains are
  std::optional<std::uint64_t> volumes;
  // Bytes that the data records of each archive together reach.
  std::optional<std::uint64_t> size;
  int version = 3;
};

inline constexpr std::uint64_t kDefaultRecords = 100;

// What a recipe stands for, one archive after the other. Memory is that of one sample and of what
// is in force. A resource: not copied.
class Generation {
 public:
  // Error: kUsage, with what is impossible about the recipe.
  static Result<std::unique_ptr<Generation>> Of(const Recipe& recipe);
  virtual ~Generation() = default;

  // How many archives there are: more than one is a set.
  virtual std::uint64_t archives() const = 0;

  // Of the archive that is next: the label of its files, and the index that its writer makes.
  virtual archive::LabelModel Label() const = 0;
  virtual archive::IndexPolicy Index() const = 0;

  // The rules that each archive breaks by the nature of its scenarios, and nothing else (null: not
  // known); and those that the archives break as a set.
  virtual const std::vector<Clause>* violates() const = 0;
  virtual const std::vector<Clause>& set_violates() const = 0;

  // The recipe with nothing left out, as names and values; of a set also which archive is next.
  virtual std::vector<std::pair<std::string, std::string>> Ingredients() const = 0;

  // About how many bytes of data records one archive will have.
  virtual std::uint64_t ExpectedBytes() const = 0;

  // Makes the next archive. `progress`, which may be empty, is told now and then how many bytes of
  // data records more there are. Errors: those of the sink; kUsage for times that version 2 has no
  // room for (ARC-504).
  virtual std::optional<Status> Next(ArchiveSink& sink,
                                     const std::function<void(std::uint64_t bytes)>& progress) = 0;
};

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_GENERATE_H_
