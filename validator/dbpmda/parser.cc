// SPDX-License-Identifier: Apache-2.0
#include "validator/dbpmda/parser.h"

#include <netdb.h>
#include <netinet/in.h>

#include <utility>

#include "validator/dbpmda/tables.h"

namespace pmproof::agent_script {
namespace {

using Kind = Token::Kind;

std::optional<std::uint16_t> PortOf(const Token& token) {
  if (token.kind == Kind::kNumbers && token.count == 1) {
    return static_cast<std::uint16_t>(token.numbers[0]);
  }
  if (token.kind != Kind::kName) return std::nullopt;
  const servent* service = getservbyname(token.text.c_str(), "tcp");
  if (service == nullptr) return std::nullopt;
  return ntohs(static_cast<std::uint16_t>(service->s_port));
}

// d.s, or the identifier as a number.
std::optional<Indom> IndomOf(const Token& token) {
  if (token.kind == Kind::kNegative || (token.kind == Kind::kNumbers && token.count == 1)) {
    return Indom{token.numbers[0]};
  }
  if (token.kind != Kind::kNumbers || token.count != 2) return std::nullopt;
  return Indom::Of(token.numbers[0], token.numbers[1]);
}

}  // namespace

Parser::Parser(std::string_view script, Report report, Lexer::Echo echo)
    : report_(std::move(report)),
      lexer_(
          script,
          [this](const std::string& message) {
            const std::string caret = lexer_.Caret();
            lexer_.SkipLine();
            Error(message, caret);
          },
          std::move(echo)) {}

void Parser::Error(const std::string& message, const std::string& caret) {
  failed_ = true;
  if (++errors_ > kMostErrors) return;
  report_({.line = lexer_.line(), .message = "Error: " + message, .caret = caret});
}

tl::unexpected<Parser::Stop> Parser::Fail(const std::string& message) {
  const std::string caret = lexer_.Caret();
  lexer_.SkipLine();
  Error(message, caret);
  return tl::unexpected(Stop{});
}

std::optional<Command> Parser::Next(const pmda::NameTree& names) {
  names_ = &names;
  for (;;) {
    const Token first = lexer_.Next();
    if (first.kind == Kind::kEnd) return std::nullopt;
    if (errors_ > kMostErrors) {
      report_({.line = lexer_.line(), .message = "Error: too many errors; the rest is not read"});
      return std::nullopt;
    }
    if (first.kind == Kind::kNewline) continue;
    if (auto command = ParseCommand(first)) return std::move(*command);
  }
}

Parser::Parsed<Command> Parser::EndWith(Command command) {
  if (lexer_.Next().kind != Kind::kNewline) return SyntaxError();
  return command;
}

Parser::Parsed<Command> Parser::ParseCommand(const Token& first) {
  const std::string& word = first.text;
  if (first.kind != Kind::kKeyword ||
      (word != "?" && word != "help" && word != "q" && word != "exit" && Usage(word).empty())) {
    if (lexer_.AtEnd()) return tl::unexpected(Stop{});
    return Fail("Unrecognized command");
  }
  if (word == "help" || word == "?") return ParseHelp();
  if (word == "quit" || word == "q" || word == "exit") return EndWith(Quit{});
  if (word == "close") return EndWith(Close{});
  if (word == "status") return EndWith(ShowStatus{});
  if (word == "namespace") {
    const Token file = lexer_.NextPath();
    if (file.kind != Kind::kPath) return SyntaxError();
    return EndWith(LoadNames{file.text});
  }
  if (word == "open") return ParseOpen();
  if (word == "watch") {
    const Token file = lexer_.NextPath();
    if (file.kind == Kind::kNewline) return Help{word, true};
    if (file.kind != Kind::kPath) return SyntaxError();
    return EndWith(Watch{});
  }
  if (word == "fetch") return ParseFetch();
  if (word == "profile") return ParseProfile();
  if (word == "instance") return ParseInstance();
  if (word == "label") return ParseLabel();
  if (word == "attr") return ParseAttribute();
  if (word == "debug") return ParseDebug();

  const Token token = lexer_.Next();
  if (token.kind == Kind::kNewline) return Help{word, true};
  if (word == "desc") {
    return ToMetric(token).and_then([this](Pmid pmid) { return EndWith(Describe{pmid}); });
  }
  if (word == "store") {
    const auto pmid = ToMetric(token);
    if (!pmid) return tl::unexpected(Stop{});
    Token value = lexer_.Next();
    if (value.kind != Kind::kText) return SyntaxError();
    return EndWith(Store{*pmid, std::move(value.text)});
  }
  if (word == "text") {
    if (token.Is("indom")) {
      return TakeIndom().and_then([this](Indom indom) { return EndWith(ShowText{indom}); });
    }
    return ToMetric(token).and_then([this](Pmid pmid) { return EndWith(ShowText{pmid}); });
  }
  if (word == "name") {
    if (token.kind != Kind::kNumbers || token.count != 3) return SyntaxError();
    return EndWith(LookUpPmid{Pmid::Of(token.numbers[0], token.numbers[1], token.numbers[2])});
  }
  if (word == "wait") {
    if (token.kind != Kind::kNumbers || token.count != 1) return SyntaxError();
    return EndWith(Wait{token.numbers[0]});
  }
  if (word == "pmid" || word == "children" || word == "traverse") {
    using What = LookUpName::What;
    if (token.kind != Kind::kName) return SyntaxError();
    const What what = word == "pmid"       ? What::kPmid
                      : word == "children" ? What::kChildren
                                           : What::kTraverse;
    return EndWith(LookUpName{what, token.text});
  }
  // getdesc, getiname, timer
  if (!token.Is("on") && !token.Is("off")) return SyntaxError();
  const Switch::What what = word == "getdesc"    ? Switch::What::kGetdesc
                            : word == "getiname" ? Switch::What::kGetiname
                                                 : Switch::What::kTimer;
  return EndWith(Switch{what, token.text == "on"});
}

// --- parts

// PMD-404: a number, c.i, d.c.i or a name. A PMID without a name is warned of, and taken.
Parser::Parsed<Pmid> Parser::ToMetric(const Token& token) {
  if (token.kind == Kind::kName) {
    const auto pmid = names_->Find(token.text);
    if (!pmid) return Fail(ErrorText(pmid.error()));
    if (pmda::IsDynamicRoot(*pmid)) return Fail(ErrorText(ErrorCode::kName));
    return *pmid;
  }
  if (token.kind != Kind::kNumbers) return SyntaxError();
  const auto& numbers = token.numbers;
  const Pmid pmid = token.count == 1   ? Pmid{numbers[0]}
                    : token.count == 2 ? Pmid::Of(0, numbers[0], numbers[1])
                                       : Pmid::Of(numbers[0], numbers[1], numbers[2]);
  if (names_->NamesOf(pmid).empty()) {
    report_({.line = lexer_.line(),
             .message = "Warning: PMID (" + ToText(pmid) + ") is not defined in the PMNS"});
  }
  return pmid;
}

Parser::Parsed<Indom> Parser::TakeIndom() {
  const auto indom = IndomOf(lexer_.Next());
  if (!indom) return SyntaxError();
  return *indom;
}

Parser::Parsed<Command> Parser::ParseOpen() {
  const Token what = lexer_.Next();
  if (what.kind == Kind::kNewline) return Help{"open", true};
  if (what.Is("socket")) return ParseSocket();
  if (what.Is("dso")) return ParseDso();
  if (!what.Is("pipe")) return SyntaxError();
  const Token file = lexer_.NextPath();
  if (file.kind != Kind::kPath) return SyntaxError();
  OpenPipe open{.words = lexer_.RestOfLine()};
  open.words.insert(open.words.begin(), file.text);
  return open;
}

Parser::Parsed<Command> Parser::ParseDso() {
  const Token file = lexer_.NextPath();
  if (file.kind != Kind::kPath) return SyntaxError();
  const Token init = lexer_.Next();
  if (init.kind != Kind::kName) return SyntaxError();
  OpenDso open{.file = file.text, .init = init.text};
  const Token domain = lexer_.Next();
  if (domain.kind == Kind::kNewline) return open;
  if (domain.kind != Kind::kNumbers || domain.count != 1) return SyntaxError();
  open.domain = domain.numbers[0];
  return EndWith(open);
}

Parser::Parsed<Command> Parser::ParseSocket() {
  Token token = lexer_.NextPath();
  OpenSocket open;
  if (token.Is("inet") || token.Is("ipv6")) {
    open.kind = token.text == "inet" ? OpenSocket::Kind::kInet : OpenSocket::Kind::kIpv6;
    const auto port = PortOf(lexer_.Next());
    if (!port) return SyntaxError();
    open.port = *port;
    return EndWith(open);
  }
  if (token.Is("unix")) token = lexer_.NextPath();
  if (token.kind != Kind::kPath) return SyntaxError();
  open.path = token.text;
  return EndWith(open);
}

// Metrics, with or without a comma between two of them.
Parser::Parsed<Command> Parser::ParseFetch() {
  Fetch fetch;
  bool separated = false;
  for (;;) {
    const Token token = lexer_.Next();
    if (token.kind == Kind::kNewline && fetch.pmids.empty() && !separated) {
      return Help{"fetch", true};
    }
    if (token.kind == Kind::kNewline && !separated) return fetch;
    if (token.kind == Kind::kComma && !fetch.pmids.empty() && !separated) {
      separated = true;
      continue;
    }
    const auto pmid = ToMetric(token);
    if (!pmid) return tl::unexpected(Stop{});
    fetch.pmids.push_back(*pmid);
    separated = false;
  }
}

Parser::Parsed<Command> Parser::ParseProfile() {
  using Change = ChangeProfile::Change;
  const Token first = lexer_.Next();
  if (first.kind == Kind::kNewline) return Help{"profile", true};
  const auto indom = IndomOf(first);
  if (!indom) return SyntaxError();
  const Token what = lexer_.Next();
  if (what.Is("all")) return EndWith(ChangeProfile{Change::kAll, *indom});
  if (what.Is("none")) return EndWith(ChangeProfile{Change::kNone, *indom});
  if (!what.Is("add") && !what.Is("delete")) return SyntaxError();
  const Token number = lexer_.Next();
  if (number.kind != Kind::kNumbers || number.count != 1) return SyntaxError();
  auto change = EndWith(ChangeProfile{what.text == "add" ? Change::kAdd : Change::kDelete, *indom,
                                      static_cast<std::int32_t>(number.numbers[0])});
  if (change && indom->IsNull()) return Fail(ErrorText(ErrorCode{-12377}));  // PM_ERR_PROFILESPEC
  return change;
}

Parser::Parsed<Command> Parser::ParseInstance() {
  const Token first = lexer_.Next();
  if (first.kind == Kind::kNewline) return Help{"instance", true};
  const auto indom = IndomOf(first);
  if (!indom) return SyntaxError();
  ListInstances list{.indom = *indom};
  const Token token = lexer_.Next();
  if (token.kind == Kind::kNewline) return list;
  if (token.kind == Kind::kName || token.kind == Kind::kText) {
    list.name = token.text;
  } else if (token.kind == Kind::kNumbers && token.count == 1) {
    list.instance = static_cast<std::int32_t>(token.numbers[0]);
  } else {
    return SyntaxError();
  }
  return EndWith(list);
}

Parser::Parsed<Command> Parser::ParseLabel() {
  const Token what = lexer_.Next();
  if (what.kind == Kind::kNewline) return Help{"label", true};
  if (what.Is("context")) return EndWith(ShowLabels{LabelClass::kContext, Pmid::Null().value});
  if (what.Is("domain")) return EndWith(ShowLabels{LabelClass::kDomain});
  if (what.Is("indom") || what.Is("instances")) {
    const auto indom = TakeIndom();
    if (!indom) return tl::unexpected(Stop{});
    return EndWith(ShowLabels{what.text == "indom" ? LabelClass::kIndom : LabelClass::kInstances,
                              indom->value});
  }
  if (what.Is("item")) {
    return ToMetric(lexer_.Next()).and_then([this](Pmid pmid) {
      return EndWith(ShowLabels{LabelClass::kItem, pmid.value});
    });
  }
  if (!what.Is("cluster")) return SyntaxError();
  const Token cluster = lexer_.Next();
  if (cluster.kind != Kind::kNumbers || cluster.count > 2) return SyntaxError();
  const auto& numbers = cluster.numbers;
  const Pmid pmid = cluster.count == 1 ? Pmid{numbers[0]} : Pmid::Of(numbers[0], numbers[1], 0);
  return EndWith(ShowLabels{LabelClass::kCluster, pmid.value});
}

Parser::Parsed<Command> Parser::ParseAttribute() {
  const Token which = lexer_.Next();
  if (which.kind == Kind::kNewline) return Help{"attr", true};
  SendAttribute send;
  if (which.kind == Kind::kText) {
    const auto attribute = AttributeOf(which.text);
    if (!attribute) return Fail("Attribute (" + which.text + ") is not recognised");
    send.attribute = *attribute;
  } else if (which.kind == Kind::kNumbers && which.count == 1) {
    send.attribute = static_cast<pdu::Attribute>(which.numbers[0]);
    if (!NameOf(send.attribute)) {
      return Fail("Attribute (" + std::to_string(static_cast<int>(send.attribute)) +
                  ") is not recognised");
    }
  } else {
    return SyntaxError();
  }
  Token value = lexer_.Next();
  if (value.kind == Kind::kNewline) return send;
  if (value.kind != Kind::kText) return SyntaxError();
  send.value = std::move(value.text);
  return EndWith(send);
}

Parser::Parsed<Command> Parser::ParseDebug() {
  Debug debug;
  for (;;) {
    const Token token = lexer_.Next();
    if (token.kind == Kind::kNewline) {
      if (debug.flags.empty()) return Help{"debug", true};
      return debug;
    }
    if (debug.flags.empty() && (token.Is("all") || token.Is("none"))) {
      debug.flags.push_back(token.text);
      return EndWith(debug);
    }
    if (token.kind == Kind::kNumbers && token.count == 1) {  // a mask, as of old
      for (std::size_t bit = 0; bit < 32 && bit < DebugOptionCount(); ++bit) {
        if ((token.numbers[0] >> bit & 1) != 0) debug.flags.emplace_back(DebugOptionName(bit));
      }
      if (debug.flags.empty()) debug.flags.emplace_back();
      continue;
    }
    const bool word = token.kind == Kind::kName || token.kind == Kind::kKeyword;
    if ((!word && token.kind != Kind::kFlag) || token.Is("all") || token.Is("none") ||
        token.Is("?")) {
      return SyntaxError();
    }
    if (!DebugOption(token.text) && !(token.kind == Kind::kFlag && token.text == "all")) {
      return Fail("Bad debug flag (" + token.text + ")");
    }
    debug.flags.push_back((token.kind == Kind::kFlag ? "-" : "") + token.text);
  }
}

Parser::Parsed<Command> Parser::ParseHelp() {
  const Token token = lexer_.Next();
  if (token.kind == Kind::kNewline) return Help{};
  if (token.kind != Kind::kKeyword || Usage(token.text).empty()) return SyntaxError();
  return EndWith(Help{token.text});
}

}  // namespace pmproof::agent_script
