// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/random_sentence.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/derived/functions.h"

namespace pmproof::generators {
namespace {

constexpr std::string_view kArithmetic[] = {"+", "-", "*", "/"};
constexpr std::string_view kRelational[] = {"<", "<=", "==", ">=", ">", "!="};
constexpr std::string_view kBoolean[] = {"&&", "||"};
constexpr std::string_view kIntegers[] = {"0",  "1",    "1",    "2",          "3",
                                          "10", "1000", "0012", "4294967295", "2147483648"};
constexpr std::string_view kDoubles[] = {"0.5", "2.", ".25", "1.0", ".", "3.25", "1000000.5"};
constexpr std::string_view kTypes[] = {"32",    "u32",    "64",      "U64",
                                       "float", "DOUBLE", "\"u64\"", "\"double\""};
constexpr std::string_view kAnonymousTypes[] = {"32", "U32", "64", "U64", "FLOAT", "DOUBLE"};
constexpr std::string_view kSemantics[] = {"instant", "instant",  "instant",
                                           "counter", "discrete", "\"Discrete\""};
constexpr std::string_view kUnits[] = {
    "",      "byte",        "Kbyte", "Mbyte", "2 Kbyte", "byte / sec",   "Kbyte/hour",
    "nsec",  "millisec",    "sec",   "hour",  "count",   "count x 10^3", "/ sec",
    "Gbyte", "count / sec", "sec^2", "Tbyte"};
constexpr std::string_view kExtraUnits[] = {"power (W)", "temperature (C)", "temperature (F)",
                                            "power (KW)"};
constexpr std::string_view kPatterns[] = {"/a/", "/^a/", "/1|2/",      "/two$/", "/[0-9]$/",
                                          "/./", "/zz/", "/^b\\\\.*/", "/a\\/b/"};

// The functions of expressions, for a draw: of delta() and rate() more than of others.
std::vector<const derived::Function*> OfExpressions() {
  std::vector<const derived::Function*> functions;
  for (const derived::Function& function : derived::kFunctions) {
    if (function.argument != derived::Argument::kExpression &&
        function.argument != derived::Argument::kMetricOrExpression) {
      continue;
    }
    functions.insert(functions.end(), function.over_time ? 3 : 1, &function);
  }
  return functions;
}

std::vector<const derived::Function*> OfNames() {
  std::vector<const derived::Function*> functions;
  for (const derived::Function& function : derived::kFunctions) {
    if (function.argument == derived::Argument::kMetric) functions.push_back(&function);
  }
  return functions;
}

class Writer {
 public:
  Writer(Random& random, const OperandSet& operands, const derived::Dialect& dialect)
      : random_(random), operands_(operands), dialect_(dialect) {
    // What can be combined has these units, and one domain or none.
    units_ = Index(operands_.by_units().size());
    const auto& group = operands_.by_units()[units_];
    indom_ = DescriptorOf(group[Index(group.size())]).indom;
    counters_ = OneIn(12);
  }

  Sentence Expression(std::size_t nodes, bool deep) {
    if (nodes <= 1) return Leaf();
    if (deep) return Deeper(nodes - 1);
    const std::uint64_t draw = random_.Below(100);
    if (draw < 44) return Binary(nodes);
    if (draw < 52) return Around("(", Expression(nodes - 1, false), ")");
    if (draw < 57) return Around("-" + Blank(), Expression(nodes - 1, false), "");
    if (draw < 61) return Not(nodes);
    if (draw < 73) return Function(nodes);
    if (draw < 78) return Rescale(nodes);
    if (draw < 83) return Match(nodes);
    if (draw < 86) return Instance(nodes);
    return Ternary(nodes);
  }

 private:
  std::size_t Index(std::size_t size) { return static_cast<std::size_t>(random_.Below(size)); }
  bool OneIn(std::uint64_t n) { return random_.Chance(1, n); }
  template <std::size_t kSize>
  std::string Pick(const std::string_view (&array)[kSize]) {
    return std::string(array[Index(kSize)]);
  }
  std::string Blank() {
    if (OneIn(60)) return "\t ";
    return OneIn(3) ? " " : "";
  }
  const Descriptor& DescriptorOf(std::size_t metric) const {
    return operands_.metrics()[metric].answer.descriptor;
  }

  static Sentence Around(std::string before, Sentence part, std::string after) {
    return {{std::move(before), std::move(after)}, {std::move(part)}, false};
  }

  // A metric that goes with the others, or any.
  std::string Metric(bool counter) {
    if (OneIn(60) && !operands_.odd().empty()) {
      return operands_.metrics()[operands_.odd()[Index(operands_.odd().size())]].name;
    }
    const auto& groups = operands_.by_units();
    const bool any = OneIn(12);
    const auto& group = groups[any ? Index(groups.size()) : units_];
    std::size_t metric = group[Index(group.size())];
    for (int attempt = 0; attempt < 20 && !any; ++attempt) {
      const Descriptor& descriptor = DescriptorOf(metric);
      const bool fits = descriptor.indom.IsNull() || descriptor.indom == indom_;
      if (fits && (descriptor.semantics == Semantics::kCounter) == counter) break;
      metric = group[Index(group.size())];
    }
    return operands_.metrics()[metric].name;
  }
  std::string Metric() { return Metric(counters_); }

  std::string InstanceName() {
    const auto& names = operands_.instances();
    if (names.empty() || OneIn(12)) return "[nobody]";
    std::string name = names[Index(names.size())];
    if (OneIn(3)) name = name.substr(0, name.find(' '));
    return "[" + name + "]";
  }

  std::string Units() {
    if (dialect_.extra_units && OneIn(8)) return "\"" + Pick(kExtraUnits) + "\"";
    return "\"" + Pick(kUnits) + "\"";
  }

  std::string Parameter() {
    switch (random_.Below(dialect_.indom_parameter ? 8 : dialect_.lazy_binding ? 7 : 6)) {
      case 0:
      case 1:
      case 2:
        return "type=" + Pick(kTypes);
      case 3:
      case 4:
        return "semantics=" + Pick(kSemantics);
      case 5:
        return "units=" + Blank() + Units();
      case 6:
        return "meta=" + Metric();
      default:
        return OneIn(4) ? "indom=null" : "indom=" + IndomText();
    }
  }
  std::string IndomText() {
    if (indom_.IsNull() || OneIn(6)) return "60.77";
    return ToText(indom_);
  }

  std::string Parameters() {
    std::string text = Parameter();
    while (OneIn(3)) text += "," + Blank() + Parameter();
    return text;
  }

  Sentence Leaf() {
    const std::uint64_t draw = random_.Below(100);
    if (draw < 62) return Word(Metric());
    if (draw < 66) return Word(Metric() + Blank() + InstanceName());
    if (draw < 75) return Word(Pick(kIntegers));
    if (draw < 79) return Word(Pick(kDoubles));
    if (draw < 86) return Constant();
    if (draw < 96) return Word(FunctionOfNames() + "(" + Blank() + Metric() + ")");
    if (draw < 99 || OneIn(3)) return Word("defined(" + Metric() + ")");
    return Word("anon(PM_TYPE_" + Pick(kAnonymousTypes) + ")");
  }

  std::string FunctionOfNames() { return std::string(of_names_[Index(of_names_.size())]->name); }

  Sentence Constant() {
    const bool fraction = OneIn(5);
    const std::string number = fraction ? Pick(kDoubles) : Pick(kIntegers);
    std::string parameters = Parameters();
    // Such a constant with the type of an integer is an error (DER-648).
    if (fraction && !OneIn(8)) parameters += OneIn(2) ? ",type=float" : ",type=double";
    return Word("mkconst(" + number + "," + Blank() + parameters + ")");
  }

  Sentence Binary(std::size_t nodes) {
    const std::size_t left = 1 + Index(nodes - 1);
    const std::size_t right = std::max<std::size_t>(nodes - 1 - std::min(left, nodes - 2), 1);
    const std::uint64_t draw = random_.Below(10);
    std::string word = draw < 6 ? Pick(kArithmetic) : draw < 8 ? Pick(kRelational) : Pick(kBoolean);
    // DER-503.
    if (in_filter_ && word == "/") word = "*";
    word = Blank() + word + Blank();
    Sentence first = Expression(left, false);
    return {{"", std::move(word), ""}, {std::move(first), Expression(right, false)}, false};
  }

  // DER-818: mostly of what gives U32.
  Sentence Not(std::size_t nodes) {
    if (nodes < 3 || OneIn(4)) return Around("!" + Blank(), Expression(nodes - 1, false), "");
    Sentence comparison{{"(", Pick(kRelational), ")"},
                        {Expression(nodes / 2, false), Expression(nodes / 2, false)},
                        false};
    return Around("!", std::move(comparison), "");
  }

  Sentence Function(std::size_t nodes) {
    const derived::Function& function = *of_expressions_[Index(of_expressions_.size())];
    const std::string word = std::string(function.name) + "(";
    const bool names_only = !dialect_.functions_of_expressions &&
                            function.argument == derived::Argument::kMetricOrExpression;
    if (names_only || (function.over_time && !OneIn(3))) {
      return Word(word + Metric(!OneIn(3)) + ")");
    }
    return Around(word, Expression(nodes - 1, false), Blank() + ")");
  }

  Sentence Rescale(std::size_t nodes) {
    return Around("rescale(", Expression(nodes - 1, false), "," + Blank() + Units() + ")");
  }

  Sentence Match(std::size_t nodes) {
    const bool outer = std::exchange(in_filter_, true);
    Sentence part = Expression(nodes - 1, false);
    in_filter_ = outer;
    return Around(
        "matchinst(" + std::string(OneIn(4) ? "!" : "") + Blank() + Pick(kPatterns) + "," + Blank(),
        std::move(part), ")");
  }

  // DER-606: not of expressions in 6.0.3.
  Sentence Instance(std::size_t nodes) {
    if (!dialect_.functions_of_expressions && !OneIn(8)) return Binary(nodes);
    return Around("(", Expression(nodes - 1, false), ")" + InstanceName());
  }

  Sentence Ternary(std::size_t nodes) {
    const std::size_t each = std::max<std::size_t>((nodes - 1) / 3, 1);
    Sentence guard = OneIn(5) ? StaticGuard() : Guard(each);
    Sentence first = Expression(each, false);
    // Most pairs by chance do not go with one another (DER-861..868).
    Sentence second = OneIn(2) ? first : OneIn(2) ? Opposite(first) : Expression(each, false);
    if (OneIn(5) && dialect_.lazy_binding) {
      Sentence novalue = Word("novalue(" + (OneIn(5) ? Parameters() : Blank()) + ")");
      novalue.branch = true;
      (OneIn(3) ? first : second) = std::move(novalue);
    }
    return {{"(", Blank() + "?" + Blank(), Blank() + ":" + Blank(), ")"},
            {std::move(guard), std::move(first), std::move(second)},
            false};
  }
  Sentence StaticGuard() {
    if (OneIn(2)) return Word(OneIn(2) ? "0" : "1");
    if (OneIn(2)) return Word("defined(" + Metric() + ")");
    return {{"", OneIn(2) ? "||" : "&&", ""}, {Word(OneIn(2) ? "0" : "1"), Word(Metric())}, false};
  }
  Sentence Guard(std::size_t nodes) {
    if (OneIn(3)) return Expression(nodes, false);
    const std::string number = OneIn(2) ? Pick(kIntegers) : "100";
    return {{"", Pick(kRelational), ""}, {Word(Metric()), Word(number)}, false};
  }
  // The same descriptor, mostly, and other values.
  Sentence Opposite(const Sentence& sentence) {
    return OneIn(2) ? Around("-(", sentence, ")") : Around("(", sentence, OneIn(2) ? "*2)" : "+0)");
  }

  Sentence Deeper(std::size_t nodes) {
    switch (random_.Below(dialect_.functions_of_expressions ? 7 : 4)) {
      case 0:
        return Around("-", Expression(nodes, true), "");
      case 1:
        return Around("(", Expression(nodes, true), ")");
      case 2:
        return Around("scalar(", Expression(nodes, true), ")");
      case 3:
        return {{"(", "+", ")"}, {Word(Metric(false)), Expression(nodes, true)}, false};
      case 4:
        return Around("delta(", Expression(nodes, true), ")");
      case 5:
        return Around("matchinst(/a/,", Expression(nodes, true), ")");
      default:
        return {{"", "-", ""}, {Expression(nodes, true), Word(Metric(false))}, false};
    }
  }

  Random& random_;
  const OperandSet& operands_;
  const derived::Dialect& dialect_;
  const std::vector<const derived::Function*> of_names_ = OfNames();
  const std::vector<const derived::Function*> of_expressions_ = OfExpressions();
  std::size_t units_ = 0;
  Indom indom_;
  bool counters_ = false;
  bool in_filter_ = false;
};

}  // namespace

Sentence RandomSentence(Random& random, const SentenceTaste& taste, const OperandSet& operands,
                        const derived::Dialect& dialect) {
  return Writer(random, operands, dialect).Expression(taste.nodes, taste.deep);
}

SentenceTaste RandomTaste(Random& random, std::size_t size) {
  const auto below = [&](std::size_t bound) {
    return static_cast<std::size_t>(random.Below(bound));
  };
  if (random.Chance(1, 60)) return {1 + below(1 + size), true};
  if (random.Chance(1, 30)) return {1 + below(1 + size / 2), false};
  return {1 + below(1 + std::min<std::size_t>(size, 100) / 12), false};
}

}  // namespace pmproof::generators
