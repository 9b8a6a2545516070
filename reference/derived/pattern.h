#ifndef PMPROOF_REFERENCE_DERIVED_PATTERN_H_
#define PMPROOF_REFERENCE_DERIVED_PATTERN_H_

#include <regex.h>

#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace pmproof::derived {

// The pattern of matchinst(): an extended regular expression of the C library, without places of
// sub-expressions (DER-648, 1114). A resource: moved, not copied.
class Pattern {
 public:
  // The error is what regerror says. So that no pattern takes more memory or stack than it is worth
  // the library's "Regular expression too big" is also given for parentheses more than 200 deep,
  // for more than 4096 characters, and where repetitions multiply to more than 32768 nodes.
  static tl::expected<Pattern, std::string> Compile(std::string_view text);

  // Unanchored. `name` must have no NUL inside.
  bool Matches(const std::string& name) const;

 private:
  struct Free {
    void operator()(regex_t* compiled) const {
      regfree(compiled);
      delete compiled;
    }
  };

  explicit Pattern(std::unique_ptr<regex_t, Free> compiled) : compiled_(std::move(compiled)) {}

  std::unique_ptr<regex_t, Free> compiled_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_PATTERN_H_
