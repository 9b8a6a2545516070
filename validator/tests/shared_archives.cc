// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/shared_archives.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace pmproof::validator::testing {
namespace {

// Links to this file, among the data of a test, lead to the workspace.
std::string Shared() {
  const char* shared = std::getenv("PMPROOF_SHARED");
  if (shared != nullptr && *shared != '\0') return shared;
  std::error_code error;
  const auto here = std::filesystem::canonical("validator/tests/shared_archives.cc", error);
  return error ? "" : here.parent_path().parent_path().parent_path().parent_path() / "shared";
}

}  // namespace

std::string SharedArchives() {
  const std::string folder = Shared() + "/archives";
  return std::filesystem::exists(folder + "/MANIFEST.json") ? folder : "";
}

}  // namespace pmproof::validator::testing
