// SPDX-License-Identifier: Apache-2.0
#include "validator/text/html_page.h"

#include <string>

#include "validator/text/display.h"
#include "validator/text/html_files.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

std::string_view HtmlFile(std::string_view name) {
  for (const EmbeddedFile& file : html_files()) {
    if (file.path == "html/" + std::string(name)) return file.content;
  }
  return "";
}

}  // namespace

void BeginHtmlPage(const HtmlHead& head, std::initializer_list<std::string_view> styles,
                   std::ostream& out) {
  const std::string time = ToIsoText(head.time).substr(0, 19) + "Z";  // no fraction
  out << HtmlFile("head.html") << "<title>" << Markup(head.title) << " - pmproof " << head.command
      << "</title>\n<style>\n"
      << HtmlFile("page.css");
  for (const std::string_view style : styles) out << HtmlFile(style);
  out << "</style>\n</head>\n<body>\n<header>\n<p class=\"made\"><span>pmproof " << kVersion
      << "</span> <span>" << head.command << "</span> <time>" << time << "</time></p>\n<h1>"
      << Markup(head.title) << "</h1>\n<p class=\"verdict " << head.style << "\">"
      << Markup(head.verdict) << "</p>\n</header>\n<main>\n";
}

void EndHtmlPage(std::initializer_list<std::string_view> scripts, std::ostream& out) {
  out << "</main>\n<script>\n" << HtmlFile("page.js");
  for (const std::string_view script : scripts) out << HtmlFile(script);
  out << "</script>\n</body>\n</html>\n";
}

void WriteHtmlSearch(std::string_view placeholder, std::ostream& out) {
  out << "<input type=\"search\" id=\"search\" placeholder=\"" << placeholder
      << " ( / )\" aria-label=\"" << placeholder << "\" aria-keyshortcuts=\"/\">\n";
}

void WriteHtmlControls(std::string_view placeholder,
                       std::initializer_list<std::pair<const char*, const char*>> kinds,
                       std::string_view what, std::ostream& out) {
  out << "<fieldset class=\"bar\" id=\"controls\" hidden>";
  WriteHtmlSearch(placeholder, out);
  for (const auto& [kind, name] : kinds) {
    out << "<label><input type=\"checkbox\" data-shows=\"" << kind << "\" checked> " << name
        << "</label>\n";
  }
  out << "<span class=\"faint\" id=\"count\" role=\"status\" data-what=\"" << what
      << "\"></span></fieldset>\n";
}

void BeginHtmlData(std::ostream& out) { out << "<script type=\"application/json\" id=\"data\">"; }

void EndHtmlData(std::ostream& out) { out << "</script>\n"; }

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
