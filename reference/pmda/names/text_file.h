// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_TEXT_FILE_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_TEXT_FILE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace pmproof::pmda {

// Far above any name space or help text; what is longer is not read.
inline constexpr std::size_t kMaxTextFile = std::size_t{2} << 20;

// A file's bytes, or why they could not be read ("No such file or directory"). Regular files only.
tl::expected<std::string, std::string> ReadTextFile(const std::string& path);

// What an #include directive gets: the text of the file of that name, or why there is none.
using IncludeReader = std::function<tl::expected<std::string, std::string>(const std::string&)>;

// PMD-306: the name as it is, then in each folder. PCP looks in the current folder, then in that of
// the file it was given (not in that of the file with the #include), then in its own.
IncludeReader IncludesFrom(std::vector<std::string> folders);

// For sources without #include: there is no such file.
IncludeReader NoIncludes();

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_TEXT_FILE_H_
