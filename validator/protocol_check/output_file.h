#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_OUTPUT_FILE_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_OUTPUT_FILE_H_

#include <fstream>
#include <memory>
#include <ostream>
#include <string>
#include <tl/expected.hpp>

namespace pmproof::validator {

// A file that is there whole or not at all: it is written under a temporary name beside it, and
// gets its own with Publish. Not published, the temporary file is removed with this. What exists
// and is no regular file (a pipe, /dev/stdout) is written to directly. A resource.
class OutputFile {
 public:
  // Errors, each with the path: it exists and may not be replaced; it cannot be written.
  static tl::expected<std::unique_ptr<OutputFile>, std::string> Create(const std::string& path,
                                                                       bool replace);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() { Discard(); }

  const std::string& path() const { return path_; }
  std::ostream& stream() { return stream_; }

  // After this the file has its name. Error: why it does not; nothing is left then.
  tl::expected<void, std::string> Publish();

  // Removes the temporary file.
  void Discard();

 private:
  OutputFile(std::string path, bool replace) : path_(std::move(path)), replace_(replace) {}

  std::string path_;
  bool replace_;
  std::string target_{};     // what path_ leads to
  std::string temporary_{};  // empty: written to directly, or published
  std::ofstream stream_{};
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_OUTPUT_FILE_H_
