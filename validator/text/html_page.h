// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_HTML_PAGE_H_
#define PMPROOF_VALIDATOR_TEXT_HTML_PAGE_H_

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>

// What the HTML reports share: pages that need no other file.

namespace pmproof::validator {

// Writes all up to "<body>". `title` is text; `styles` are names of files of validator/text/html.
void BeginHtmlPage(std::string_view title, std::initializer_list<std::string_view> styles,
                   std::ostream& out);

// Writes scripts, as one (files of validator/text/html), and the end.
void EndHtmlPage(std::initializer_list<std::string_view> scripts, std::ostream& out);

// Begins, and ends, the data that list.js hands to a script: JSON between them.
void BeginHtmlData(std::ostream& out);
void EndHtmlData(std::ostream& out);
// JSON for there: nothing in it ends the element.
std::string HtmlData(std::string_view json);

// Writes a number and what it counts. `style` is a class of report.css; `text` is markup.
void WriteHtmlTile(std::string_view number, std::string_view text, std::string_view style,
                   std::ostream& out);
// The same; a number of 0 is faint.
void WriteHtmlTile(std::uint64_t number, std::string_view text, std::string_view style,
                   std::ostream& out);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_HTML_PAGE_H_
