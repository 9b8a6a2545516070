// SPDX-License-Identifier: Apache-2.0
#include "validator/text/html_page.h"

#include <string>

#include "validator/text/display.h"
#include "validator/text/html_files.h"

namespace pmproof::validator {
namespace {

std::string_view HtmlFile(std::string_view name) {
  for (const EmbeddedFile& file : html_files()) {
    if (file.path == "html/" + std::string(name)) return file.content;
  }
  return "";
}

}  // namespace

void BeginHtmlPage(std::string_view title, std::initializer_list<std::string_view> styles,
                   std::ostream& out) {
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<title>"
      << Markup(title) << "</title>\n<style>\n";
  for (const std::string_view style : styles) out << HtmlFile(style);
  out << "</style>\n</head>\n<body>\n";
}

void EndHtmlPage(std::initializer_list<std::string_view> scripts, std::ostream& out) {
  if (scripts.size() > 0) {
    out << "<script>\n";
    for (const std::string_view script : scripts) out << HtmlFile(script);
    out << "</script>\n";
  }
  out << "</body>\n</html>\n";
}

void BeginHtmlData(std::ostream& out) { out << "<script type=\"application/json\" id=\"data\">"; }

void EndHtmlData(std::ostream& out) { out << "</script>\n"; }

std::string HtmlData(std::string_view json) {
  std::string data;
  for (const char c : json) {
    if (c == '<') {
      data += "\\u003c";
    } else {
      data += c;
    }
  }
  return data;
}

void WriteHtmlTile(std::string_view number, std::string_view text, std::string_view style,
                   std::ostream& out) {
  out << "<div class=\"tile\"><b class=\"" << style << "\">" << number << "</b>" << text
      << "</div>\n";
}

void WriteHtmlTile(std::uint64_t number, std::string_view text, std::string_view style,
                   std::ostream& out) {
  WriteHtmlTile(std::to_string(number), text, number > 0 ? style : "faint", out);
}

}  // namespace pmproof::validator
