// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/write_configuration.h"

#include <filesystem>
#include <fstream>
#include <utility>

namespace pmproof::validator::collector {
namespace {

namespace fs = std::filesystem;

// What fits into sockaddr_un, without the longest name in the folder.
constexpr std::size_t kLongestFolder = 107 - std::string_view("/read_only.socket").size();

tl::unexpected<Status> Refused(Status::Kind kind, const std::string& file,
                               const std::string& message) {
  return tl::unexpected(Status{.kind = kind, .file = file, .message = message});
}

Result<void> Write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) return Refused(Status::Kind::kUnreadable, path, "cannot be written");
  return {};
}

Result<void> WriteFiles(const Configuration& configuration) {
  for (const Instance instance : kInstances) {
    auto written = Write(configuration.layout.Conf(instance), ConfText(configuration, instance));
    if (!written) return written;
  }
  return Write(configuration.layout.names(), NamesText());
}

// Half a configuration is none. What was there before is the folder at most, which was empty.
void Remove(const std::string& folder, bool made) {
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder, ignored)) fs::remove(file, ignored);
  if (made) fs::remove(folder, ignored);
}

}  // namespace

Result<Configuration> WriteConfiguration(const Places& places, Configuration configuration) {
  std::error_code error;
  const std::string folder = fs::absolute(places.folder, error).lexically_normal().string();
  if (error) return Refused(Status::Kind::kUnreadable, places.folder, error.message());
  if (folder.size() > kLongestFolder) {
    return Refused(Status::Kind::kUsage, folder, "is too long a path for the sockets in it");
  }
  if (folder.find_first_of("\n\r") != std::string::npos) {
    return Refused(Status::Kind::kUsage, places.folder, "has a line break in its path");
  }
  const bool made = fs::create_directories(folder, error);
  if (error) return Refused(Status::Kind::kUnreadable, folder, error.message());
  const bool empty = fs::is_empty(folder, error);
  if (error) return Refused(Status::Kind::kUnreadable, folder, error.message());
  if (!empty) return Refused(Status::Kind::kUsage, folder, "is not empty");
  configuration.layout.folder = folder;
  configuration.pmproof = places.pmproof.empty()
                              ? fs::read_symlink("/proc/self/exe", error).string()
                              : fs::absolute(places.pmproof, error).string();
  if (error) return Refused(Status::Kind::kUnreadable, "pmproof", error.message());
  if (const auto written = WriteFiles(configuration); !written) {
    Remove(folder, made);
    return tl::unexpected(written.error());
  }
  return configuration;
}

}  // namespace pmproof::validator::collector
