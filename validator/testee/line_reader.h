// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_LINE_READER_H_
#define PMPROOF_VALIDATOR_TESTEE_LINE_READER_H_

#include <cstddef>
#include <istream>
#include <string>

namespace pmproof::validator {

// Lines of a stream that somebody else writes, none of them kept beyond a length.
class LineReader {
 public:
  LineReader(std::istream& in, std::size_t longest) : in_(in), longest_(longest) {}

  enum class Outcome { kLine, kTooLong, kEnd };

  // The next line without its end; the last one needs none. Of a line that is too long all is read
  // and nothing given.
  Outcome Next(std::string* line) {
    line->clear();
    std::size_t size = 0;
    std::streambuf& from = *in_.rdbuf();
    while (true) {
      const auto next = from.sbumpc();
      if (next == std::istream::traits_type::eof()) {
        if (size == 0) return Outcome::kEnd;
        break;
      }
      if (next == '\n') break;
      if (++size <= longest_) *line += std::istream::traits_type::to_char_type(next);
    }
    if (size <= longest_) return Outcome::kLine;
    line->clear();
    line->shrink_to_fit();
    return Outcome::kTooLong;
  }

 private:
  std::istream& in_;
  std::size_t longest_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_LINE_READER_H_
