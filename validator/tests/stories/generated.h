// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_STORIES_GENERATED_H_
#define PMPROOF_VALIDATOR_TESTS_STORIES_GENERATED_H_

#include <set>
#include <string>
#include <vector>

#include "generators/generate.h"
#include "reference/archive/storage.h"

namespace pmproof::validator::testing {

// Writes what a recipe stands for with the archive writer, as `pmproof generate` does, to
// "d/a", or "d/a-1" ... if it is a set. The rules that it is to break, those of the set too.
std::set<std::string> Write(const generators::Recipe& recipe, archive::MemoryStorage* storage);

// One line that tells a recipe from others.
std::string ToText(const generators::Recipe& recipe);

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_STORIES_GENERATED_H_
