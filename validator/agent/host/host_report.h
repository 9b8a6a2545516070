// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_HOST_HOST_REPORT_H_
#define PMPROOF_VALIDATOR_AGENT_HOST_HOST_REPORT_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/status.h"
#include "reference/pmda/dso/observer.h"

// What hosts of a shared-object agent (`pmproof agent host`) learned of it, handed on to whoever
// started them: a file to which each of them appends lines of JSON. A line is there before the call
// that comes next, and whatever becomes of the process.

namespace pmproof::validator {

// What a report says. A value.
struct HostReport {
  struct Violation {
    Clause clause{};
    std::string function{};
    std::string message{};

    friend auto operator<=>(const Violation&, const Violation&) = default;
  };
  std::size_t hosts = 0;                 // that have written into it
  std::optional<dso::LoadFacts> load{};  // of the first host
  std::optional<dso::InitFacts> init{};  // of the first that came so far
  std::vector<Violation> violations{};   // each once, in their order
  std::size_t unreadable = 0;            // lines that are none of a host

  // A report that is not there is empty.
  static HostReport Read(const std::string& path);
};

// Appends to a report what the host learns; or, without a path, tells it a person, on standard
// error. At most kMost violations of one process.
class HostReporter final : public dso::Observer {
 public:
  static constexpr std::size_t kMost = 100;

  HostReporter(const std::string& library, const std::string& path);
  ~HostReporter() override;

  // Whether the report could be opened.
  bool open() const { return file_ >= 0; }

  void OnLoad(const dso::LoadFacts& facts) override;
  void OnInit(const dso::InitFacts& facts) override;
  void OnViolation(const dso::Violation& violation) override;

 private:
  void Write(std::string line) const;
  void Tell(const std::string& text) const;

  std::string library_;
  bool readable_;  // for a person
  int file_ = -1;
  std::size_t violations_ = 0;
};

// A file of its own for a report, removed with this. Moved, not copied.
class HostReportFile {
 public:
  // Error: the system's words.
  static Result<HostReportFile> Create();
  HostReportFile(HostReportFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  HostReportFile& operator=(HostReportFile&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~HostReportFile();

  const std::string& path() const { return path_; }
  HostReport Read() const { return HostReport::Read(path_); }

 private:
  explicit HostReportFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

// The words that start a host, in any folder: this very program. `library` is FILE[:INIT], where a
// relative FILE is one of the current folder.
std::vector<std::string> HostCommand(const std::string& library,
                                     std::optional<std::uint32_t> domain,
                                     const std::string& report);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_AGENT_HOST_HOST_REPORT_H_
