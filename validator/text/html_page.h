// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_HTML_PAGE_H_
#define PMPROOF_VALIDATOR_TEXT_HTML_PAGE_H_

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "reference/core/timestamp.h"

// What the HTML reports share: pages that need no other file, of one look. Those that are made in
// Python (qa/suite/reports/shell.py) take the same files of validator/text/html.

namespace pmproof::validator {

// What stands above each report. Texts may hold any bytes.
struct HtmlHead {
  std::string_view command;  // that made it: "rules diff"
  std::string title;
  std::string verdict;     // in a line
  std::string_view style;  // its class: good, info, warning, error, fatal
  Timestamp time;          // of the report
};

// Writes all up to the content, the head among it. `styles` are names of files of
// validator/text/html that come after page.css.
void BeginHtmlPage(const HtmlHead& head, std::initializer_list<std::string_view> styles,
                   std::ostream& out);

// Writes page.js and after it `scripts` (files of validator/text/html), as one, and the end.
void EndHtmlPage(std::initializer_list<std::string_view> scripts, std::ostream& out);

// Begins, and ends, the data that list.js hands to a script: JSON between them (html_data.h).
void BeginHtmlData(std::ostream& out);
void EndHtmlData(std::ostream& out);

// Writes the field of a search: `placeholder` says in what. Afterwards come its boxes.
void WriteHtmlSearch(std::string_view placeholder, std::ostream& out);
// Writes what rows.js wants of a page: the search, a box for each kind of its items, and how many
// of `what` are shown. Kinds are words of data-kind, and how they are called.
void WriteHtmlControls(std::string_view placeholder,
                       std::initializer_list<std::pair<const char*, const char*>> kinds,
                       std::string_view what, std::ostream& out);

// Writes a number and what it counts. `style` is a class of page.css; `text` is markup.
void WriteHtmlTile(std::string_view number, std::string_view text, std::string_view style,
                   std::ostream& out);
// The same; a number of 0 is faint.
void WriteHtmlTile(std::uint64_t number, std::string_view text, std::string_view style,
                   std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_HTML_PAGE_H_
