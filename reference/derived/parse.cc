// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/parse.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/derived/expression_builder.h"
#include "reference/derived/functions.h"
#include "reference/derived/lexer.h"
#include "reference/derived/operators.h"
#include "reference/derived/parameters.h"
#include "reference/derived/parser_frame.h"
#include "reference/derived/pattern.h"

namespace pmproof::derived {
namespace {

constexpr std::size_t kMessageLength = 255;  // DER-648
// Of all patterns of an expression, beside two for each character: what their repetitions make.
constexpr std::size_t kMorePatternNodes = 1 << 16;

// A parser by operator precedence with a stack of its own (DER-602..606). Its functions return
// false after an error, which is in error_ then.
class Parser {
 public:
  Parser(std::string_view text, const Dialect& dialect, const ParseLimits& limits)
      : dialect_(dialect),
        lexer_(text, dialect),
        builder_(text, limits.nodes),
        text_size_(text.size()) {}

  tl::expected<Expression, SyntaxError> Run() {
    frames_.push_back({});
    if (Read() && Initial() && Definition()) return builder_.Take();
    return tl::unexpected(std::move(error_));
  }

 private:
  using Kind = SyntaxError::Kind;

  bool Fail(Kind kind, std::string message, Clause clause) {
    message.resize(std::min(message.size(), kMessageLength));
    error_ = {kind, token_.position, std::move(message), clause};
    return false;
  }
  bool FailValue(std::string message) {
    return Fail(Kind::kValue, std::move(message), "DER-648"_clause);
  }

  // Error at the current token: the innermost frame that has something to say (DER-621).
  bool FailInside() {
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      const SyntaxMessage message = MessageInside(*frame);
      if (!message.clause.empty()) return FailInside(message);
    }
    return Fail(Kind::kGrammar, "", "DER-621"_clause);
  }
  // The same where what is begun has no frame.
  bool FailInside(const SyntaxMessage& innermost) {
    if (innermost.clause.empty()) return FailInside();
    return Fail(Kind::kGrammar, innermost.Text(), innermost.clause);
  }

  bool Read() {
    token_ = lexer_.Next();
    if (token_.kind != TokenKind::kError) return true;
    return Fail(Kind::kLexical, std::string(lexer_.error()), "DER-505"_clause);
  }
  bool Is(TokenKind kind) const { return token_.kind == kind; }
  // The "(" that stands after the name of a function (DER-502).
  bool ReadOpen() { return Read(); }

  // DER-644: tokens that no text begins with but whose successor is what PCP complains about.
  bool Initial() {
    const bool prefix = Is(TokenKind::kMinus) && dialect_.whole_language;
    if (prefix || (Level(token_.kind) == 0 && !Is(TokenKind::kClose))) return true;
    return FailAtNext("Unexpected initial", "DER-644"_clause);
  }
  bool FailAtNext(std::string message, Clause clause) {
    message.append(" '").append(Spelling(token_.kind)).append("'");
    return Read() && Fail(Kind::kGrammar, std::move(message), clause);
  }

  bool Definition() {
    const bool group = Is(TokenKind::kOpen);
    if (group) {
      frames_.push_back({.kind = FrameKind::kInitialGroup});
      if (!Read()) return false;
    }
    while (true) {
      if (!Operand()) return false;
      // After an operand: end what ends here, then go on to the next operand.
      while (true) {
        Reduce(Level(token_.kind));
        if (builder_.IsFull()) return FailBudget();
        if (Level(token_.kind) > 0 && !Is(TokenKind::kColon)) {
          const bool question = Is(TokenKind::kQuestion);
          frames_.push_back(
              {.kind = question ? FrameKind::kQuestion : FrameKind::kBinary, .token = token_.kind});
          break;
        }
        if (frames_.back().kind == FrameKind::kTop) return End();
        if (frames_.back().kind == FrameKind::kQuestion) {
          if (!Is(TokenKind::kColon)) return FailInside();
          frames_.back() = {.kind = FrameKind::kColon};
          break;
        }
        if (!Close()) return false;
      }
      if (!Read()) return false;
    }
  }

  bool FailBudget() {
    return Fail(Kind::kBudget, "expression with more operators and operands than are allowed",
                "DER-1401"_clause);
  }

  bool End() {
    if (Is(TokenKind::kEnd)) return true;
    if (Is(TokenKind::kOpen) || Is(TokenKind::kClose)) {
      return FailAtNext("Unexpected", "DER-646"_clause);
    }
    return FailInside();
  }

  // Completes the operators that bind at least as tightly as what follows (DER-602, 603).
  void Reduce(int level) {
    while (true) {
      const Frame& frame = frames_.back();
      switch (frame.kind) {
        case FrameKind::kPrefix:
          if (PrefixLevel(frame.token) < level) return;
          builder_.Apply(frame.token == TokenKind::kNot ? NodeKind::kNot : NodeKind::kNegate);
          break;
        case FrameKind::kBinary:
          if (Level(frame.token) < level) return;
          builder_.Apply(FindOperator(frame.token)->node);
          break;
        case FrameKind::kColon:
        case FrameKind::kColonAfterNovalue:
          if (Level(TokenKind::kColon) < level) return;
          builder_.Apply(NodeKind::kTernary);
          break;
        case FrameKind::kTop:
        case FrameKind::kInitialGroup:
        case FrameKind::kGroup:
        case FrameKind::kFunction:
        case FrameKind::kRescale:
        case FrameKind::kMatch:
        case FrameKind::kQuestion:
          return;
      }
      frames_.pop_back();
    }
  }

  // The end of a group or function; reads the token after it.
  bool Close() {
    const Frame frame = frames_.back();
    if (frame.kind == FrameKind::kRescale) return CloseRescale();
    if (!Is(TokenKind::kClose)) return FailInside();
    frames_.pop_back();
    if (frame.kind == FrameKind::kFunction) {
      builder_.Apply(NodeKind::kFunction, frame.function);
      return Read();
    }
    if (frame.kind == FrameKind::kMatch) {
      builder_.Apply(NodeKind::kMatch, frame.function, frame.pattern,
                     frame.token == TokenKind::kNot);
      lexer_.EndPattern();
      return Read();
    }
    return Read() && InstanceName();
  }

  // DER-606: x[inst].
  bool InstanceName() {
    if (!Is(TokenKind::kInstanceName)) return true;
    builder_.Apply(NodeKind::kInstance, Node::kNoFunction, builder_.Keep(token_));
    return Read();
  }

  bool CloseRescale() {
    const SyntaxMessage message{"Units string", "rescale(<expr>,", "DER-640"_clause};
    if (!Is(TokenKind::kComma)) return FailInside();
    if (!Read()) return false;
    if (!Is(TokenKind::kString)) return FailInside(message);
    const Token units = token_;
    if (!Read()) return false;
    if (!Is(TokenKind::kClose)) return FailInside(message);
    Parameters parameters;
    if (auto error = SetUnits(units.text, dialect_, &parameters)) {
      return FailValue(std::move(*error));
    }
    builder_.Apply(NodeKind::kRescale, frames_.back().function, builder_.Keep(units));
    frames_.pop_back();
    builder_.SetParameters(std::move(parameters));
    return Read();
  }

  // From the first token of an operand to the token after it.
  bool Operand() {
    while (true) {
      if (Is(TokenKind::kMinus) || Is(TokenKind::kNot)) {
        if (!dialect_.whole_language) return FailInside();
        frames_.push_back({.kind = FrameKind::kPrefix, .token = token_.kind});
      } else if (Is(TokenKind::kOpen)) {
        frames_.push_back({.kind = FrameKind::kGroup});
      } else if (Is(TokenKind::kInteger)) {
        builder_.Leaf(NodeKind::kInteger, token_);
        return Read();
      } else if (Is(TokenKind::kDouble)) {
        builder_.Leaf(NodeKind::kDouble, token_);
        return Read();
      } else if (Is(TokenKind::kName)) {
        return Metric();
      } else if (!Is(TokenKind::kFunction)) {
        return FailInside();
      } else {
        bool complete = true;
        if (!BeginFunction(&complete)) return false;
        if (complete) return true;
      }
      if (!Read()) return false;
    }
  }

  // From the function's name. `complete`: up to the token after it. Otherwise the next token is the
  // first one of an operand.
  bool BeginFunction(bool* complete) {
    const std::uint8_t function = token_.function;
    switch (kFunctions[function].argument) {
      case Argument::kMetric:
      case Argument::kDefined:
      case Argument::kType:
        return MetricFunction();
      case Argument::kMetricOrExpression:
        if (!dialect_.functions_of_expressions) return MetricFunction();
        [[fallthrough]];
      case Argument::kExpression:
        *complete = false;
        frames_.push_back({.kind = FrameKind::kFunction, .function = function});
        return ReadOpen();
      case Argument::kUnits:
        *complete = false;
        frames_.push_back({.kind = FrameKind::kRescale, .function = function});
        return ReadOpen();
      case Argument::kPattern:
        *complete = false;
        return BeginMatch();
      case Argument::kConstant:
        return Constant();
      case Argument::kNoValue: {
        const FrameKind frame = frames_.back().kind;
        *complete = frame != FrameKind::kQuestion;
        if (*complete && frame != FrameKind::kColon && frame != FrameKind::kColonAfterNovalue) {
          return FailInside();
        }
        return Novalue();
      }
    }
    return FailInside();
  }

  bool Metric() {
    builder_.Leaf(NodeKind::kMetric, token_);
    if (!Read()) return false;
    if (Is(TokenKind::kInstanceName)) return InstanceName();
    const bool ends = Is(TokenKind::kOpen) || Is(TokenKind::kClose) || Is(TokenKind::kComma) ||
                      Is(TokenKind::kEnd);
    if (ends || Level(token_.kind) > 0) return true;
    return FailInside({"Arithmetic or relational or boolean operator", "NAME", "DER-631"_clause});
  }

  // F(NAME): the functions of a metric's name (DER-638), anon(TYPE) and defined(NAME).
  bool MetricFunction() {
    const std::uint8_t function = token_.function;
    if (!ReadOpen() || !Read()) return false;
    if (!Is(TokenKind::kName)) return FailInside(MetricExpected(function));
    const Token name = token_;
    if (!Read()) return false;
    if (!Is(TokenKind::kClose)) return FailInside(MetricExpected(function));
    const Argument argument = kFunctions[function].argument;
    if (argument != Argument::kType) {
      builder_.Leaf(NodeKind::kMetric, name);
      const bool defined = argument == Argument::kDefined;
      builder_.Apply(defined ? NodeKind::kDefined : NodeKind::kFunction, function);
      return Read();
    }
    Parameters parameters;
    parameters.type = AnonymousType(name.text);
    if (!parameters.type) {
      // DER-609: undefined in PCP.
      std::string message = "Unrecognized value for type '";
      message.append(name.text.substr(0, kMessageLength)).append("'");
      return Fail(Kind::kValue, std::move(message), "DER-609"_clause);
    }
    builder_.Leaf(NodeKind::kAnonymous, name, function);
    builder_.SetParameters(std::move(parameters));
    return Read();
  }

  // To the comma after the pattern.
  bool BeginMatch() {
    Frame frame{.kind = FrameKind::kMatch, .function = token_.function};
    if (!ReadOpen() || !Read()) return false;
    const bool inverted = Is(TokenKind::kNot);
    if (inverted && !Read()) return false;
    if (!Is(TokenKind::kPattern)) {
      return FailInside({"<filter>, <expr>)", "matchinst(", "DER-641"_clause});
    }
    const std::string unescaped = Unescaped(token_.text);
    const auto pattern = Pattern::Compile(unescaped);
    if (!pattern) return FailValue("bad regular expression: '" + pattern.error() + "'");
    pattern_nodes_ += pattern->nodes();
    if (pattern_nodes_ > kMorePatternNodes + 2 * text_size_) {
      return Fail(Kind::kBudget, "patterns that repeat more than is allowed", "DER-1401"_clause);
    }
    if (inverted) frame.token = TokenKind::kNot;
    frame.pattern = builder_.Keep(token_);
    if (!Read()) return false;
    if (!Is(TokenKind::kComma)) {
      return FailInside({", <expr>)", "matchinst(<filter>", "DER-641"_clause});
    }
    frames_.push_back(frame);
    return true;
  }

  // "mkconst(" number "," params ")"
  bool Constant() {
    const std::uint8_t function = token_.function;
    if (!ReadOpen() || !Read()) return false;
    SyntaxMessage inside;
    if (Is(TokenKind::kInteger)) {
      if (dialect_.lazy_binding) {
        inside = {"metadata keyword", "mkconst(type", "DER-642"_clause};
      }
    } else if (!Is(TokenKind::kDouble)) {
      return FailInside();
    }
    const Token number = token_;
    if (!Read()) return false;
    if (!Is(TokenKind::kComma)) return FailInside(inside);
    Parameters parameters;
    if (!Read() || !ParameterList(inside, &parameters)) return false;
    if (number.kind == TokenKind::kDouble && parameters.type && IsInteger(*parameters.type)) {
      return FailValue("Incompatible floating point constant and type '" +
                       std::string(ConstantTypeName(*parameters.type)) + "'");
    }
    // A DOUBLE is told by its ".".
    builder_.Leaf(NodeKind::kConstant, number, function);
    builder_.SetParameters(std::move(parameters));
    return Read();
  }

  // From the first parameter to the ")".
  bool ParameterList(const SyntaxMessage& inside, Parameters* parameters) {
    while (true) {
      const TokenKind name = token_.kind;
      if (!IsParameterName(name)) return FailInside(inside);
      if (!Read()) return false;
      if (!Is(TokenKind::kAssign)) return FailInside(inside);
      if (!Read()) return false;
      if (!IsParameterValue(name, token_.kind, dialect_)) return FailInside(inside);
      if (auto error = SetParameter(name, token_, dialect_, parameters)) {
        return FailValue(std::move(*error));
      }
      if (!Read()) return false;
      if (Is(TokenKind::kClose)) return true;
      if (!Is(TokenKind::kComma)) return FailInside(inside);
      if (!Read()) return false;
    }
  }

  // "novalue(" [ params ] ")" as a branch. The first one takes the ":" too; with the second the
  // ternary is complete, whatever follows.
  bool Novalue() {
    const SyntaxMessage inside{"metadata keyword", "novalue(", "DER-643"_clause};
    const Token word = token_;
    if (!ReadOpen() || !Read()) return false;
    Parameters parameters;
    if (!Is(TokenKind::kClose) && !ParameterList(inside, &parameters)) return false;
    Frame& frame = frames_.back();
    if (frame.kind == FrameKind::kColonAfterNovalue) {
      return FailInside(
          {"novalue() may appear at most once in a ternary expression", {}, "DER-645"_clause});
    }
    builder_.Leaf(NodeKind::kNoValue, word, word.function);
    builder_.SetParameters(std::move(parameters));
    if (frame.kind == FrameKind::kColon) {
      builder_.Apply(NodeKind::kTernary);
      frames_.pop_back();
      return Read();
    }
    if (!Read()) return false;
    if (!Is(TokenKind::kColon)) return FailInside();
    frame.kind = FrameKind::kColonAfterNovalue;
    return true;
  }

  const Dialect& dialect_;
  Lexer lexer_;
  ExpressionBuilder builder_;
  const std::size_t text_size_;
  std::size_t pattern_nodes_ = 0;
  std::vector<Frame> frames_;
  Token token_;
  SyntaxError error_;
};

}  // namespace

tl::expected<Expression, SyntaxError> Parse(std::string_view text, const Dialect& dialect,
                                            const ParseLimits& limits) {
  if (text.size() > limits.text) {
    return tl::unexpected(SyntaxError{SyntaxError::Kind::kBudget,
                                      static_cast<std::int64_t>(limits.text),
                                      "expression longer than is allowed", "DER-1401"_clause});
  }
  return Parser(text, dialect, limits).Run();
}

}  // namespace pmproof::derived
