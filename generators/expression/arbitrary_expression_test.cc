// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/arbitrary_expression.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/derived/functions.h"
#include "reference/derived/testing/named_metrics.h"

namespace pmproof::generators {
namespace {

using derived::Dialect;
using derived::kV60;
using derived::kV63;
using derived::kV72;

OperandSet AllMetrics() {
  std::vector<OperandMetric> metrics;
  const derived::NamedMetrics names;
  for (const char* const type : {"i32", "u32", "i64", "u64", "flt", "dbl", "str"}) {
    for (const char* const semantics : {"c", "i", "d"}) {
      for (const char* const domain : {"s", "a", "b"}) {
        for (const char* const units : {"none", "byte", "kbyte", "sec"}) {
          std::string name = type;
          for (const char* const part : {semantics, domain, units}) name.append(".").append(part);
          const derived::OperandAnswer answer = names.Find(name);
          metrics.push_back({std::move(name), answer});
        }
      }
    }
  }
  for (const char* const name : {"no.such", "derived.u32"}) {
    metrics.push_back({name, names.Find(name)});
  }
  return {std::move(metrics), {"a0 zero", "a1"}};
}

const OperandSet& Metrics() {
  static const OperandSet metrics = AllMetrics();
  return metrics;
}

RC_GTEST_PROP(ArbitraryExpressionTest, SentencesAreOfTheLanguage, ()) {
  for (const Dialect* const dialect : {&kV60, &kV63, &kV72}) {
    const std::string text = ToText(*AnySentence(Metrics(), *dialect));
    const auto parsed = derived::Parse(text, *dialect);
    // A constant or units may have a value that is none (DER-648).
    if (parsed || parsed.error().kind == derived::SyntaxError::Kind::kValue) continue;
    RC_FAIL(text + ": " + std::to_string(parsed.error().position) + ": " + parsed.error().message);
  }
}

RC_GTEST_PROP(ArbitraryExpressionTest, SentencesOfOldDialectsAreOfTheNewOne, ()) {
  for (const Dialect* const dialect : {&kV60, &kV63}) {
    const std::string text = ToText(*AnySentence(Metrics(), *dialect));
    RC_ASSERT(derived::Parse(text, *dialect).has_value() == derived::Parse(text, kV72).has_value());
  }
}

RC_GTEST_PROP(ArbitraryExpressionTest, WhatIsDefinedBindsOrSaysWhyNot, ()) {
  const std::string text = ToText(*DefinedSentence(Metrics(), kV72));
  RC_ASSERT(!UndefinedIn(text, kV72, Metrics(), {}).has_value());
  auto parsed = derived::Parse(text, kV72);
  if (!parsed) return;
  const auto expression = std::make_shared<const derived::Expression>(std::move(*parsed));
  const auto bound = derived::Bind(expression, kV72, Metrics());
  if (bound) {
    RC_ASSERT(bound->nodes().size() == expression->nodes().size());
  } else {
    RC_ASSERT(!bound.error().message.empty());
    RC_ASSERT(!bound.error().clause.empty());
  }
}

RC_GTEST_PROP(ArbitraryExpressionTest, WhatIsNearlyAnExpressionHasAPlaceWhereItIsNone, ()) {
  const std::string text = *NearlyExpression(Metrics(), kV72);
  const auto parsed = derived::Parse(text, kV72);
  if (parsed) return;
  RC_ASSERT(parsed.error().position >= -1);
  RC_ASSERT(parsed.error().position <
            static_cast<std::int64_t>(std::max<std::size_t>(text.size(), 1)));
  RC_ASSERT(parsed.error().message.size() <= 255U);
  RC_ASSERT(std::ranges::all_of(text, [](char c) { return c > 0; }));
}

// The texts of 1000 sentences of full size.
std::vector<std::string> Texts() {
  std::vector<std::string> texts;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const SentenceTaste taste = RandomTaste(random, static_cast<std::size_t>(random.Below(101)));
    texts.push_back(ToText(RandomSentence(random, taste, Metrics(), kV72)));
  }
  return texts;
}

TEST(ArbitraryExpressionTest, MostHaveSome40CharactersAndAFewAreLong) {
  std::vector<std::string> texts = Texts();
  std::ranges::sort(texts, {}, &std::string::size);
  EXPECT_GE(texts[texts.size() / 2].size(), 25U);
  EXPECT_LE(texts[texts.size() / 2].size(), 55U);
  EXPECT_GE(texts.back().size(), 400U);
}

TEST(ArbitraryExpressionTest, AllKindsOfNodesAreThereAndHalfOfThemBind) {
  std::set<derived::NodeKind> kinds;
  std::set<std::uint8_t> functions;
  std::size_t bound = 0;
  std::size_t deepest = 0;
  for (const std::string& text : Texts()) {
    auto parsed = derived::Parse(text, kV72);
    if (!parsed) continue;
    for (const derived::Node& node : parsed->nodes()) {
      kinds.insert(node.kind);
      if (node.function != derived::Node::kNoFunction) functions.insert(node.function);
    }
    deepest = std::max(deepest, parsed->nodes().size());
    bound += derived::Bind(std::make_shared<const derived::Expression>(std::move(*parsed)), kV72,
                           Metrics())
                 .has_value();
  }
  EXPECT_EQ(kinds.size(), static_cast<std::size_t>(derived::NodeKind::kTernary) + 1);
  EXPECT_EQ(functions.size(), derived::kFunctions.size());
  EXPECT_GT(bound, 400U);
  EXPECT_GT(deepest, 40U);
}

TEST(ArbitraryExpressionTest, TheSameSeedMakesTheSame) { EXPECT_EQ(Texts(), Texts()); }

// What RapidCheck shows for a property that does not hold.
template <typename T>
std::optional<T> Shrunk(const rc::Gen<T>& generator, const std::function<bool(const T&)>& holds) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto any = generator(rc::Random(seed), 100);
    if (holds(any.value())) continue;
    return rc::shrinkable::findLocalMin(any, [&](const T& value) { return !holds(value); }).first;
  }
  return std::nullopt;
}

TEST(ArbitraryExpressionTest, NoDeltaShrinksToADelta) {
  const auto sentence = Shrunk<Sentence>(AnySentence(Metrics(), kV72), [](const Sentence& any) {
    const auto parsed = derived::Parse(ToText(any), kV72);
    return !parsed || std::ranges::none_of(parsed->nodes(), [](const derived::Node& node) {
      return derived::IsCallOf(node, "delta");
    });
  });
  ASSERT_TRUE(sentence);
  EXPECT_LE(ToText(*sentence).size(), 20U) << ToText(*sentence);
}

TEST(ArbitraryExpressionTest, NoTernaryHasNoValueShrinksToOne) {
  const auto sentence = Shrunk<Sentence>(AnySentence(Metrics(), kV72), [](const Sentence& any) {
    return ToText(any).find("novalue(") == std::string::npos;
  });
  ASSERT_TRUE(sentence);
  EXPECT_TRUE(derived::Parse(ToText(*sentence), kV72)) << ToText(*sentence);
  EXPECT_LE(ToText(*sentence).size(), 60U) << ToText(*sentence);
}

TEST(ArbitraryExpressionTest, NoCommaShrinksToAComma) {
  const auto text = Shrunk<std::string>(
      NearlyExpression(Metrics(), kV72),
      [](const std::string& any) { return any.find(',') == std::string::npos; });
  EXPECT_EQ(text, ",");
}

TEST(ArbitraryExpressionTest, RoughTokensAreTheText) {
  const std::string text = "avg( a.b)+matchinst(/x/, u [a b])!= 1.5&&\"Kbyte";
  std::string joined;
  for (const std::string& token : RoughTokens(text)) joined += token;
  EXPECT_EQ(joined, text);
  EXPECT_EQ(RoughTokens("avg(a)>=[x y]"),
            (std::vector<std::string>{"avg(", "a", ")", ">=", "[x y]"}));
}

}  // namespace
}  // namespace pmproof::generators
