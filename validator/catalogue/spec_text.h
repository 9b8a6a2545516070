// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CATALOGUE_SPEC_TEXT_H_
#define PMPROOF_VALIDATOR_CATALOGUE_SPEC_TEXT_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/clause.h"

namespace pmproof::validator {

// The specification (reference/spec/*.md) by clause. A value.
class SpecText {
 public:
  struct File {
    std::string_view path;
    std::string_view content;
  };

  // What one place of the specification says about a clause.
  struct Excerpt {
    std::string file;     // "archive.md"
    std::string heading;  // of the section it stands in
    // Paragraphs, lists and tables, one a line; a blank line between them. Lines of a paragraph or
    // list item are joined; of a table row in which a clause stands alone there is a line "column:
    // cell" for each cell. Lines that begin with a blank or '|' are as in the file.
    std::vector<std::string> lines;
  };

  // A clause is a paragraph, list item or table row that begins with its identifier; a paragraph
  // goes on to the next clause, heading or list of sources. The content is copied.
  static SpecText FromMarkdown(std::span<const File> files);

  // The specification that this program carries.
  static SpecText Shipped();

  // In the order of the files; more than one where a clause was corrected. Empty if there is no
  // such clause.
  const std::vector<Excerpt>& Find(Clause clause) const;

  const std::map<Clause, std::vector<Excerpt>>& clauses() const { return clauses_; }

 private:
  std::map<Clause, std::vector<Excerpt>> clauses_;
};

// For people: paragraphs wrapped at `width`, table and verbatim lines as they are, without the
// marks of Markdown for bold. Each line is indented by `indent` blanks; ends with a newline.
std::string ForReading(const SpecText::Excerpt& excerpt, std::size_t width, std::size_t indent);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CATALOGUE_SPEC_TEXT_H_
