// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/access_rules.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/names/characters.h"

namespace pmproof::pmda {
namespace {

using Subject = AccessRule::Subject;

// Nothing: the host pattern is good.
std::string WrongWithHost(std::string_view host) {
  const std::size_t star = host.find('*');
  if (star == std::string_view::npos) return "";
  if (star + 1 != host.size()) return "the wild card is not at the end";
  if (host == "*" || host == ".*" || host == ":*" || host == "local:*" || host == "unix:*")
    return "";
  if (host.find(':') != std::string_view::npos) {
    return std::all_of(host.begin(), host.end() - 1,
                       [](char c) {
                         return IsDigit(c) || c == ':' || (c >= 'a' && c <= 'f') ||
                                (c >= 'A' && c <= 'F');
                       })
               ? ""
               : "not a wild card of IPv6 addresses";
  }
  constexpr int kMostParts = 3;
  int parts = 0;
  for (std::string_view rest = host; rest != "*"; ++parts) {
    const std::string_view part = rest.substr(0, rest.find('.'));
    std::uint32_t number = 0;
    const auto parsed = std::from_chars(part.data(), part.data() + part.size(), number);
    constexpr std::uint32_t kMostByte = 255;
    if (part.size() == rest.size() || parsed.ec != std::errc() ||
        parsed.ptr != part.data() + part.size() || number > kMostByte) {
      return "not a wild card of IPv4 addresses";
    }
    rest.remove_prefix(part.size() + 1);
  }
  return parts <= kMostParts ? "" : "too many dots in the wild card";
}

class AccessReader {
 public:
  AccessReader(ConfLexer& lexer, const std::string& file, std::vector<Diagnosis>& problems)
      : lexer_(lexer), file_(file), problems_(problems) {}

  std::vector<AccessRule> Run() {
    std::vector<AccessRule> rules;
    Advance();
    while (word_.kind != ConfWord::Kind::kEnd) {
      auto rule = Statement();
      if (rule) {
        DropWrongNames(*rule);
        if (!rule->names.empty()) rules.push_back(*std::move(rule));
        continue;
      }
      if (!lexer_.broken()) Report(word_.line, rule.error());
      while (word_.kind != ConfWord::Kind::kEnd && !word_.Is(';')) Advance();
      if (word_.Is(';')) Advance();
    }
    if (rules.empty() && !lexer_.broken()) {
      Report(word_.line, "the access section has no good statement");
    }
    return rules;
  }

 private:
  using Done = tl::expected<void, std::string>;

  struct Operations {
    bool fetch = false;
    bool store = false;
  };

  static tl::unexpected<std::string> Wrong(std::string message) {
    return tl::unexpected(std::move(message));
  }

  void Advance() { word_ = lexer_.NextInAccess(); }
  bool IsWord() const { return word_.kind == ConfWord::Kind::kWord; }
  bool IsKeyword(std::string_view keyword) const {
    return IsWord() && EqualsIgnoringCase(word_.text, keyword);
  }
  bool TakeKeyword(std::string_view keyword) {
    const bool is = IsKeyword(keyword);
    if (is) Advance();
    return is;
  }
  bool TakeMark(char mark) {
    const bool is = word_.Is(mark);
    if (is) Advance();
    return is;
  }

  void Report(std::size_t line, std::string message) {
    AddDiagnosis({Diagnosis::Severity::kError, file_, line, "PMD-323"_clause, std::move(message)},
                 problems_);
  }

  tl::expected<AccessRule, std::string> Statement() {
    AccessRule rule{.line = word_.line};
    allow_ = IsKeyword("allow");
    if (!allow_ && !IsKeyword("disallow")) return Wrong("\"allow\" or \"disallow\" expected");
    Advance();
    if (TakeKeyword("user") || TakeKeyword("users")) {
      rule.subject = Subject::kUser;
    } else if (TakeKeyword("group") || TakeKeyword("groups")) {
      rule.subject = Subject::kGroup;
    } else if (!TakeKeyword("hosts")) {
      TakeKeyword("host");
    }
    if (auto done = Names(rule); !done) return tl::unexpected(done.error());
    if (auto done = Permissions(rule); !done) return tl::unexpected(done.error());
    return rule;
  }

  Done Names(AccessRule& rule) {
    do {
      if (!IsWord()) {
        return Wrong(rule.names.empty() ? "a name expected; one with \":\" needs quotes"
                                        : "a name expected after \",\"");
      }
      rule.names.push_back(word_.text);
      Advance();
    } while (TakeMark(','));
    if (!TakeMark(':'))
      return Wrong("\",\" or \":\" expected after " + Printable(rule.names.back()));
    return {};
  }

  Done Permissions(AccessRule& rule) {
    bool all = false;
    bool except = false;
    bool specific = false;
    Operations listed;
    do {
      if (IsKeyword("maximum")) {
        if (auto done = Connections(rule); !done) return done;
      } else if (IsKeyword("all")) {
        if (except) return Wrong("\"all\" within \"all except\"");
        if (all || specific) return Wrong("\"all\" beside other operations");
        all = true;
        Advance();
        if (TakeKeyword("except")) {
          except = true;
          if (IsKeyword("maximum")) return Wrong("a connection limit just after \"all except\"");
          if (auto done = Operation(listed, except); !done) return done;
          specific = true;
        }
      } else {
        if (all && !except) return Wrong("\"all\" beside other operations");
        if (auto done = Operation(listed, except); !done) return done;
        specific = true;
      }
    } while (TakeMark(','));
    if (!TakeMark(';')) return Wrong("\",\" or \";\" expected in the list of operations");
    if (all || listed.fetch) rule.fetch = allow_ != (except && listed.fetch);
    if (all || listed.store) rule.store = allow_ != (except && listed.store);
    return {};
  }

  Done Operation(Operations& listed, bool except) {
    if (TakeKeyword("fetch")) {
      listed.fetch = true;
    } else if (TakeKeyword("store")) {
      listed.store = true;
    } else if (except && IsKeyword("all")) {
      return Wrong("\"all\" within \"all except\"");
    } else if (IsWord()) {
      return Wrong("not an operation: " + Printable(word_.text));
    } else {
      return Wrong("an operation expected");
    }
    return {};
  }

  Done Connections(AccessRule& rule) {
    if (!allow_) return Wrong("a connection limit in a disallow statement");
    if (rule.connections) return Wrong("a second connection limit");
    Advance();
    std::uint32_t number = 0;
    const std::string text = IsWord() ? word_.text : "";
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() ||
        number == 0 || number > std::numeric_limits<std::int32_t>::max()) {
      return Wrong("the connection limit is not a positive number");
    }
    Advance();
    if (!TakeKeyword("connections")) return Wrong("\"connections\" expected");
    rule.connections = number;
    return {};
  }

  // Patterns that cannot be, and names of whom an earlier statement says the contrary.
  void DropWrongNames(AccessRule& rule) {
    std::erase_if(rule.names, [&](const std::string& name) {
      std::string wrong = rule.subject == Subject::kHost ? WrongWithHost(name) : "";
      if (wrong.empty() && !IsNews(rule, name)) wrong = "contradicts an earlier statement";
      if (!wrong.empty()) Report(rule.line, Printable(name) + ": " + wrong);
      return !wrong.empty();
    });
  }

  bool IsNews(const AccessRule& rule, const std::string& name) {
    std::vector<std::string> patterns = {name};
    if (rule.subject == Subject::kHost) {
      if (name == "*") patterns = {".*", ":*", "unix:"};
      if (name == "local:*" || name == "local:" || name == "unix:*") patterns = {"unix:"};
    }
    for (const std::string& pattern : patterns) {
      AccessRule& said = said_[{rule.subject, pattern}];
      // Statements about the same operation must deny the same ones, also of the others [Q].
      const bool same_operation = (said.fetch && rule.fetch) || (said.store && rule.store);
      const bool same_denied = (said.fetch == false) == (rule.fetch == false) &&
                               (said.store == false) == (rule.store == false);
      if (same_operation && !same_denied) return false;
      if (said.connections && rule.connections && said.connections != rule.connections) {
        return false;
      }
      if (rule.fetch) said.fetch = rule.fetch;
      if (rule.store) said.store = rule.store;
      if (rule.connections) said.connections = rule.connections;
    }
    return true;
  }

  ConfLexer& lexer_;
  const std::string& file_;
  std::vector<Diagnosis>& problems_;
  ConfWord word_;
  bool allow_ = true;  // the statement begins with it
  // What was said so far of a host pattern, user or group.
  std::map<std::pair<Subject, std::string>, AccessRule> said_;
};

}  // namespace

std::vector<AccessRule> ReadAccessRules(ConfLexer& lexer, const std::string& file,
                                        std::vector<Diagnosis>& problems) {
  return AccessReader(lexer, file, problems).Run();
}

}  // namespace pmproof::pmda
