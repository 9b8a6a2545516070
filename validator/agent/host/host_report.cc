// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/host/host_report.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "validator/text/display.h"
#include "validator/text/json_string.h"
#include "validator/text/json_text.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {
namespace {

// The agent's code may add to the file: a line that is longer was not written here.
constexpr std::size_t kLongestLine = 65536;

std::string Dump(const Json& json) { return DumpJson(json, -1) + "\n"; }

// What an agent names may be bytes that are not UTF-8.
std::string StringOf(const Json& json) { return FromJsonString(json.get<std::string>()); }

dso::LoadFacts LoadOf(const Json& json) {
  return {.loaded = json.at("loaded").get<bool>(),
          .all_resolved = json.at("all_resolved").get<bool>(),
          .problem = StringOf(json.at("problem")),
          .init_found = json.at("init_found").get<bool>()};
}

dso::InitFacts InitOf(const Json& json) {
  return {.status = json.at("status").get<int>(),
          .version = json.at("interface").get<int>(),
          .pmapi = json.at("pmapi").get<int>(),
          .flags = json.at("flags").get<std::uint32_t>(),
          .missing = json.at("missing").get<std::vector<std::string>>(),
          .refused = StringOf(json.at("refused"))};
}

void Add(const Json& json, HostReport* report) {
  const std::string event = json.at("event").get<std::string>();
  if (event == "load") {
    ++report->hosts;
    if (!report->load) report->load = LoadOf(json);
  } else if (event == "init") {
    if (!report->init) report->init = InitOf(json);
  } else if (event == "violation") {
    const HostReport::Violation violation{
        .clause = Clause::Parse(json.at("clause").get<std::string>()).value_or(Clause()),
        .function = StringOf(json.at("function")),
        .message = StringOf(json.at("message"))};
    auto& all = report->violations;
    if (std::find(all.begin(), all.end(), violation) == all.end() &&
        all.size() < HostReporter::kMost) {
      all.push_back(violation);
    }
  }
}

}  // namespace

HostReport HostReport::Read(const std::string& path) {
  HostReport report;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    // The agent's code runs in the process that writes this.
    const Json json = line.size() > kLongestLine ? Json() : ParseOrderedJson(line);
    try {
      Add(json, &report);
    } catch (const Json::exception&) {
      ++report.unreadable;
    }
  }
  return report;
}

HostReporter::HostReporter(const std::string& library, const std::string& path)
    : library_(library), readable_(path.empty()) {
  file_ = readable_ ? STDERR_FILENO
                    : ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

HostReporter::~HostReporter() {
  if (!readable_ && file_ >= 0) close(file_);
}

// One call a line, so that those of several processes do not mix.
void HostReporter::Write(std::string line) const {
  [[maybe_unused]] const ssize_t written = write(file_, line.data(), line.size());
}

void HostReporter::Tell(const std::string& text) const {
  Write("pmproof: " + Displayable(library_ + ": " + text) + "\n");
}

void HostReporter::OnLoad(const dso::LoadFacts& facts) {
  if (!readable_) {
    return Write(Dump({{"event", "load"},
                       {"loaded", facts.loaded},
                       {"all_resolved", facts.all_resolved},
                       {"problem", facts.problem},
                       {"init_found", facts.init_found}}));
  }
  if (!facts.loaded) return Tell("cannot be loaded: " + facts.problem + " [DSO-020]");
  if (!facts.init_found) return Tell("has no such function: " + facts.problem + " [DSO-020]");
  if (!facts.all_resolved) Tell("not all symbols are there: " + facts.problem + " [CKA-165]");
}

void HostReporter::OnInit(const dso::InitFacts& facts) {
  if (!readable_) {
    return Write(Dump({{"event", "init"},
                       {"status", facts.status},
                       {"interface", facts.version},
                       {"pmapi", facts.pmapi},
                       {"flags", facts.flags},
                       {"missing", facts.missing},
                       {"refused", facts.refused}}));
  }
  if (!facts.refused.empty()) Tell(facts.refused + " [DSO-021]");
  for (const std::string& name : facts.missing) Tell(name + " is null [CKA-164]");
}

void HostReporter::OnViolation(const dso::Violation& violation) {
  if (++violations_ > kMost) return;
  if (!readable_) {
    return Write(Dump({{"event", "violation"},
                       {"clause", violation.clause.ToString()},
                       {"function", violation.function},
                       {"message", violation.message}}));
  }
  Tell((violation.function.empty() ? "" : std::string(violation.function) + " ") +
       violation.message + " [" + violation.clause.ToString() + "]");
}

Result<HostReportFile> HostReportFile::Create() {
  const char* folder = std::getenv("TMPDIR");
  std::string path =
      std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/pmproof-host-XXXXXX";
  const int file = mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) {
    return tl::unexpected(Status{.kind = Status::Kind::kUnreadable,
                                 .file = path,
                                 .message = std::generic_category().message(errno)});
  }
  close(file);
  return HostReportFile(std::move(path));
}

HostReportFile::~HostReportFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

std::vector<std::string> HostCommand(const std::string& library,
                                     std::optional<std::uint32_t> domain,
                                     const std::string& report) {
  char self[4096];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof self);
  const bool known = size > 0 && static_cast<std::size_t>(size) < sizeof self;
  std::vector<std::string> words = {
      known ? std::string(self, static_cast<std::size_t>(size)) : "/proc/self/exe", "agent",
      "host"};
  if (domain) words.insert(words.end(), {"--domain", std::to_string(*domain)});
  if (!report.empty()) words.insert(words.end(), {"--report", report});
  // The host may be started in another folder than this one, as by CKA-162.
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const bool relative = !library.empty() && library[0] != '/';
  words.push_back(relative && !error ? (here / library).string() : library);
  return words;
}

}  // namespace pmproof::validator
