// SPDX-License-Identifier: Apache-2.0
// Expressions of derived metrics by chance, over the metrics of an archive, and the reference's
// answers: JSON, one line for each batch of expressions that are put to a library together.
//
//   expressions ARCHIVE DIALECT SEED COUNT [BATCH]   at least COUNT expressions, BATCH in most
//   batches expressions ARCHIVE DIALECT SEED < TEXTS         those texts, one a line, in one batch
//
// DIALECT is 6.0.3, 6.3.8 or 7.2.2. Beside each expression stands where and why its answers are
// undefined in that version; such answers are not to be compared, and are mostly left out.

#include <charconv>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "generators/expression/batch.h"
#include "reference/archive/storage.h"

namespace {

using namespace pmproof;              // NOLINT(google-build-using-namespace): nobody includes this
using namespace pmproof::generators;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kMemory = std::size_t{1} << 30;
constexpr std::uint64_t kBatch = 100;

int Fail(const std::string& message) {
  std::cerr << "expressions: " << message << '\n';
  return 2;
}

bool Read(std::string_view text, std::uint64_t* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size();
}

int Write(const Result<Batch>& batch) {
  if (!batch) return Fail(batch.error().ToText());
  std::cout << ToJson(*batch);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  std::uint64_t seed = 0;
  std::uint64_t count = 0;
  std::uint64_t size = kBatch;
  if (words.size() < 3 || words.size() > 5 || !Read(words[2], &seed) ||
      (words.size() > 3 && !Read(words[3], &count)) ||
      (words.size() > 4 && (!Read(words[4], &size) || size == 0))) {
    return Fail("usage: expressions ARCHIVE DIALECT SEED [COUNT [BATCH]]");
  }
  const derived::Dialect* const dialect = derived::FindDialect(words[1]);
  if (dialect == nullptr || !dialect->whole_language) return Fail("no dialect " + words[1]);
  const auto storage = archive::MakePosixStorage();
  const auto archive = replay::ReplayArchive::Open(*storage, {words[0]});
  if (!archive) return Fail(archive.error().ToText());
  std::vector<Pmid> metrics;
  for (const auto& [pmid, metric] : (*archive)->metrics()) metrics.push_back(pmid);
  const auto log = replay::emulation::RecordLog::Load(**archive, metrics, kMemory);
  if (!log) return Fail(log.error().ToText());
  const BatchMaker maker(**archive, **log, *dialect);
  if (words.size() == 3) {
    std::vector<std::string> texts;
    for (std::string line; std::getline(std::cin, line);) texts.push_back(line);
    Random random(seed);
    return Write(maker.Answer(random, texts));
  }
  std::uint64_t made = 0;
  for (std::uint64_t number = 0; made < count; ++number) {
    const auto batch = maker.Make(seed, number, size);
    if (const int status = Write(batch); status != 0) return status;
    made += batch->expressions.size();
  }
  return 0;
}
