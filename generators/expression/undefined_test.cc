// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/undefined.h"

#include <gtest/gtest.h>

#include <string>

#include "reference/derived/testing/named_metrics.h"
#include "reference/derived/testing/operand_table.h"

namespace pmproof::generators {
namespace {

using derived::Dialect;
using derived::kV60;
using derived::kV63;
using derived::kV72;

// "DER-610 binding"; "defined".
std::string Verdict(const std::string& text, const Dialect& dialect,
                    const derived::BindRequest& request = {}) {
  const auto undefined = UndefinedIn(text, dialect, derived::NamedMetrics(), request);
  if (!undefined) return "defined";
  EXPECT_FALSE(undefined->why.empty());
  return undefined->clause.ToString() + " " + std::string(ToText(undefined->from));
}

struct Case {
  const char* text;
  const char* v60;
  const char* v63;
  const char* v72;
};

void ExpectVerdicts(std::initializer_list<Case> cases) {
  for (const Case& each : cases) {
    EXPECT_EQ(Verdict(each.text, kV60), each.v60) << each.text;
    EXPECT_EQ(Verdict(each.text, kV63), each.v63) << each.text;
    EXPECT_EQ(Verdict(each.text, kV72), each.v72) << each.text;
  }
}

constexpr const char* kDefined = "defined";

TEST(UndefinedTest, OfTexts) {
  ExpectVerdicts({{"i32 +", kDefined, kDefined, kDefined},
                  {"anon(PM_TYPE_U32)", kDefined, kDefined, kDefined},
                  {"anon(PM_TYPE_STRING)", "DER-609 text", "DER-609 text", "DER-609 text"},
                  {"a b anon(x)", kDefined, kDefined, kDefined},
                  {"i32 + \xe9", "DER-501 text", "DER-501 text", "DER-501 text"},
                  {"1 ? novalue() : novalue()", kDefined, "DER-214 text", "DER-214 text"}});
}

TEST(UndefinedTest, OfUnits) {
  const char* const loops = "MET-229 text";
  ExpectVerdicts({{"mkconst(1,units=\"power (W) foo\")", kDefined, kDefined, loops},
                  {"rescale(i32,\"byte / power (W),x\")", kDefined, kDefined, loops},
                  {"mkconst(1,units=\"power (W) sec sec\")", kDefined, kDefined, loops},
                  {"mkconst(1,units=\"power (W) / foo\")", kDefined, kDefined, kDefined},
                  {"mkconst(1,units=\"power (W)\",type=x)", kDefined, kDefined, kDefined},
                  {"rescale(i32,\"foo\") + \"power (W) foo\"", kDefined, kDefined, kDefined}});
}

TEST(UndefinedTest, OfItsOwnName) {
  EXPECT_EQ(Verdict("x.y", kV72, {.name = "x.y"}), "DER-213 binding");
  EXPECT_EQ(Verdict("x.y", kV72, {.name = "x.z"}), kDefined);
}

TEST(UndefinedTest, OfParameters) {
  const char* const meta = "DER-708 binding";
  ExpectVerdicts({{"mkconst(1,meta=str)", kDefined, meta, meta},
                  {"mkconst(1,meta=str,type=32)", kDefined, kDefined, kDefined},
                  {"mkconst(1,meta=i32)", kDefined, kDefined, kDefined},
                  {"mkconst(1,meta=no.such)", kDefined, kDefined, kDefined}});
  EXPECT_EQ(Verdict("mkconst(1,meta=str)", kV72, {.per_context = true}), kDefined);
}

TEST(UndefinedTest, OfNoValueWithParameters) {
  const char* const params = "DER-610 binding";
  ExpectVerdicts({{"i32.a ? i32.a : novalue(type=32)", kDefined, kDefined, kDefined},
                  {"i32 ? novalue(type=32) : i32.a", kDefined, params, kDefined},
                  {"i32 ? i32 : novalue(type=32)", kDefined, params, kDefined},
                  {"i32.a ? 1 : novalue(type=32)", kDefined, params, kDefined},
                  {"1 ? i32.a : novalue(type=32)", kDefined, params, kDefined},
                  {"i32 ? i32 : novalue()", kDefined, kDefined, kDefined}});
}

TEST(UndefinedTest, OfNoValueBesideAScalar) {
  const char* const crash = "DER-1155 values";
  ExpectVerdicts({{"i32 ? novalue() : i32", kDefined, crash, crash},
                  {"1 ? novalue() : i32", kDefined, kDefined, kDefined},
                  {"i32 ? novalue() : i32.a", kDefined, kDefined, kDefined},
                  {"i32 ? i32 : novalue(indom=60.1)", kDefined, kDefined, crash},
                  {"i32 ? novalue(indom=60.1) : i32.a", kDefined, kDefined, crash},
                  {"i32 ? i32.a : novalue(indom=60.1)", kDefined, kDefined, kDefined}});
}

TEST(UndefinedTest, OfNot) {
  const char* const garbage = "DER-818 values";
  ExpectVerdicts({{"!i32", kDefined, kDefined, kDefined},
                  {"!(i64 > 3)", kDefined, kDefined, kDefined},
                  {"!i64 + 1", garbage, garbage, garbage},
                  {"!dbl", garbage, garbage, garbage},
                  {"0 ? !dbl : 1", kDefined, kDefined, kDefined},
                  {"!str", "DER-1115 values", "DER-1115 values", "DER-1115 values"}});
}

TEST(UndefinedTest, OfFilters) {
  const char* const crash = "DER-606 values";
  const char* const freed = "DER-1115 values";
  ExpectVerdicts({{"i32.a[x]", kDefined, kDefined, kDefined},
                  {"i32.a [x]", kDefined, kDefined, kDefined},
                  {"(i32.a)[x]", crash, kDefined, kDefined},
                  {"(i32.a+1)[x]", crash, kDefined, kDefined},
                  {"str.a[x]", freed, freed, freed},
                  {"matchinst(/x/,str.a)", freed, freed, freed},
                  {"i32 ? str : str", freed, freed, freed},
                  {"scalar(str.a)", kDefined, kDefined, freed},
                  {"count(str.a)", kDefined, kDefined, kDefined}});
  // Where it does not bind, that crashes already.
  EXPECT_EQ(Verdict("(i32.a+byte)[x]", kV60), kDefined);
  EXPECT_EQ(Verdict("(i32.a+byte)[x]", kV60, {.per_context = true}), "DER-606 binding");
}

TEST(UndefinedTest, OfHistories) {
  const char* const freed = "DER-1139 values";
  ExpectVerdicts({{"delta(matchinst(/x/,i32.a))", kDefined, freed, freed},
                  {"rate((instant(i32.a)))", kDefined, freed, freed},
                  {"delta(-matchinst(/x/,i32.a))", kDefined, kDefined, kDefined},
                  {"matchinst(/x/,delta(i32.a))", kDefined, kDefined, kDefined},
                  {"delta(i32.a[x])", kDefined, kDefined, kDefined}});
}

// What a ValueWatch finds in fetches.
std::string Watched(const std::string& text, const Dialect& dialect,
                    const std::vector<std::string>& fetches) {
  auto parsed = derived::Parse(text, dialect);
  if (!parsed) return parsed.error().message;
  const auto bound = derived::Bind(std::make_shared<const derived::Expression>(std::move(*parsed)),
                                   dialect, derived::NamedMetrics());
  if (!bound) return bound.error().message;
  ValueWatch watch(*bound, dialect);
  for (const std::string& fetch : fetches) {
    watch.Take(derived::OperandTable(fetch, bound->operands()));
  }
  return watch.found() ? watch.found()->clause.ToString() : kDefined;
}

TEST(UndefinedTest, OfExtremesOfNothing) {
  EXPECT_EQ(Watched("max(i32.a)", kV72, {"i32.a=0:1", ""}), kDefined);
  EXPECT_EQ(Watched("max(i32.a)", kV72, {"", "i32.a=0:1"}), "DER-1119");
  EXPECT_EQ(Watched("1 + min(i32.a)", kV60, {""}), "DER-1119");
  EXPECT_EQ(Watched("0 ? min(i32) : 2", kV72, {""}), kDefined);
  EXPECT_EQ(Watched("sum(i32.a)", kV72, {""}), kDefined);
  // An error is none (DER-1103).
  EXPECT_EQ(Watched("max(i32.a)", kV72, {"i32.a=!-12351", "i32.a=0:1"}), kDefined);
  EXPECT_EQ(Watched("delta(max(i32.a))", kV72, {"i32.a=0:1", ""}), "DER-1119");
  EXPECT_EQ(Watched("delta(-max(i32.a))", kV72, {"i32.a=0:1", ""}), kDefined);
}

// Fetches of nothing, in a domain that has these instances.
class Constants final : public derived::FetchedOperands {
 public:
  explicit Constants(std::vector<std::int32_t> instances) : instances_(std::move(instances)) {}
  Timestamp time() const override { return {}; }
  const derived::ValueSet& Values(std::uint32_t) const override { return nothing_; }
  std::optional<std::int32_t> FindInstance(Indom, std::string_view) const override { return {}; }
  std::optional<std::string> InstanceName(Indom, std::int32_t) const override { return {}; }
  tl::expected<std::vector<std::int32_t>, ErrorCode> Instances(Indom) const override {
    return instances_;
  }

 private:
  std::vector<std::int32_t> instances_;
  derived::ValueSet nothing_;
};

TEST(UndefinedTest, OfHistoriesOfConstantsWhoseDomainChanges) {
  const auto watched = [](const std::string& text) -> std::string {
    auto parsed = derived::Parse(text, kV72);
    if (!parsed) return parsed.error().message;
    const auto bound =
        derived::Bind(std::make_shared<const derived::Expression>(std::move(*parsed)), kV72,
                      derived::NamedMetrics());
    if (!bound) return bound.error().message;
    ValueWatch watch(*bound, kV72);
    watch.Take(Constants({1, 2}));
    watch.Take(Constants({1, 2}));
    EXPECT_FALSE(watch.found());
    watch.Take(Constants({1, 3}));
    return watch.found() ? watch.found()->clause.ToString() : kDefined;
  };
  EXPECT_EQ(watched("delta(mkconst(5,indom=60.1))"), "DER-1139");
  EXPECT_EQ(watched("-rate(mkconst(5,indom=60.1))"), "DER-1139");
  EXPECT_EQ(watched("delta(-mkconst(5,indom=60.1))"), kDefined);
  EXPECT_EQ(watched("delta(mkconst(5,type=32))"), kDefined);
}

TEST(UndefinedTest, OfAScalarOfNothing) {
  EXPECT_EQ(Watched("scalar(i32.a)", kV60, {"i32.a=0:1", ""}), "DER-1120");
  EXPECT_EQ(Watched("scalar(i32.a)", kV60, {"i32.a=0:1"}), kDefined);
  EXPECT_EQ(Watched("scalar(i32.a)", kV63, {""}), kDefined);
}

TEST(UndefinedTest, OfBranchesWithFewerPairs) {
  const std::string text = "i32 ? i32.a : -i32.a[a0]";
  const std::string other = "i32 ? -i32.a[a0] : i32.a";
  EXPECT_EQ(Watched(text, kV72, {"i32=1 i32.a=0:1,1:2"}), kDefined);
  EXPECT_EQ(Watched(other, kV72, {"i32=1 i32.a=0:1,1:2"}), "DER-1153");
  EXPECT_EQ(Watched(other, kV72, {"i32=1 i32.a=0:1"}), kDefined);
  EXPECT_EQ(Watched(other, kV72, {"i32=1 i32.a=1:1"}), kDefined);  // one has none
  EXPECT_EQ(Watched(other, kV72, {"i32.a=0:1,1:2"}), kDefined);    // no guard
}

TEST(UndefinedTest, OfPositionsLeftOut) {
  const std::string second = "i32.a ? i32.a : novalue()";
  const std::string first = "i32.a ? novalue() : i32.a";
  EXPECT_EQ(Watched(second, kV72, {"i32.a=0:1,1:0,2:0"}), kDefined);
  EXPECT_EQ(Watched(second, kV72, {"i32.a=0:1,1:0,2:5"}), "DER-1154");
  EXPECT_EQ(Watched(second, kV72, {"i32.a=0:0,1:0"}), kDefined);
  EXPECT_EQ(Watched(first, kV72, {"i32.a=0:1,1:0"}), "DER-1154");
  EXPECT_EQ(Watched(first, kV72, {"i32.a=0:0,1:1"}), kDefined);
  EXPECT_EQ(Watched("i32 ? i32.a : novalue()", kV72, {"i32=0 i32.a=0:0,1:1"}), kDefined);
}

}  // namespace
}  // namespace pmproof::generators
