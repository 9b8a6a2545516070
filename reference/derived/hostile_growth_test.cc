// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/derived/configuration.h"
#include "reference/derived/derived_context.h"
#include "reference/derived/evaluate.h"
#include "reference/derived/registry.h"
#include "reference/derived/testing/bound_text.h"
#include "reference/derived/testing/operand_table.h"

// Hostile texts of two sizes, each parsed, bound and evaluated in a process of its own: time and
// memory grow as the text does, and memory is so many bytes for each character (DER-1401). With
// PMPROOF_HOSTILE_SIZE the larger size is that many characters instead: the figures are printed.

namespace pmproof::derived {
namespace {

// AddressSanitizer has memory and time of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMeasures = false;
#elif defined(__has_feature)
constexpr bool kMeasures = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
constexpr bool kMeasures = true;
#endif

struct Cost {
  double seconds = 0;
  double bytes = 0;  // at the most, beside the text
  std::string outcome;
};

double Seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

// Bytes that this process has, or has had at the most.
double Memory(const std::string& which) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(which)) return 1024 * std::stod(line.substr(line.find(':') + 1));
  }
  return 0;
}

// The child's part: writes what it found out.
void Measure(const std::function<std::string()>& make,
             const std::function<std::string(const std::string& text)>& use, int to) {
  const std::string text = make();
  const double memory = Memory("VmRSS");
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins anew
  const double begin = Seconds();
  const std::string outcome = use(text);
  const std::string found = std::to_string(Seconds() - begin) + " " +
                            std::to_string(Memory("VmHWM") - memory) + " " + outcome;
  if (write(to, found.data(), found.size()) < 0) _exit(1);
}

Cost CostOf(const std::function<std::string()>& make,
            const std::function<std::string(const std::string& text)>& use) {
  int ends[2];
  if (pipe(ends) != 0) return {0, 0, "no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    alarm(600);
    Measure(make, use, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  std::string found;
  char buffer[512];
  for (ssize_t size = 0; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
    found.append(buffer, static_cast<std::size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || found.empty()) return {0, 0, "crashed or did not end"};
  const std::size_t first = found.find(' ');
  const std::size_t second = found.find(' ', first + 1);
  return {std::stod(found), std::stod(found.substr(first)), found.substr(second + 1)};
}

// BEGIN EACH EACH ... MIDDLE AFTER AFTER ... END, of about `size` characters.
struct Shape {
  std::string begin;
  std::string each;
  std::string middle;
  std::string after{};
  std::string end{};

  std::string OfSize(std::size_t size) const {
    const std::size_t count = size / (each.size() + after.size());
    std::string text;
    text.reserve(begin.size() + size + middle.size() + end.size());
    text += begin;
    for (std::size_t i = 0; i < count; ++i) text += each;
    text += middle;
    for (std::size_t i = 0; i < count; ++i) text += after;
    return text + end;
  }
};

// What becomes of a text: where and why it is not an expression, or the last of three evaluations.
std::string OutcomeOf(const std::string& text) {
  auto parsed = Parse(text, kV72);
  if (!parsed) {
    const bool at_end = parsed.error().position + 2 >= static_cast<std::int64_t>(text.size());
    return (at_end ? "end: " : std::to_string(parsed.error().position) + ": ") +
           parsed.error().message.substr(0, 60);
  }
  auto bound = Bind(std::make_shared<const Expression>(std::move(*parsed)), kV72, NamedMetrics());
  if (!bound) return "bind: " + bound.error().message;
  const auto shared = std::make_shared<const BoundExpression>(std::move(*bound));
  Evaluator evaluator(shared, kV72);
  std::string outcome;
  for (const std::string fetch : {"@1 i32=5 i32.a=0:1,1:2,2:3", "@2 i32=6 i32.a=0:2,1:4,2:6",
                                  "@3 i32=8 i32.count=8 i32.a=0:3,1:5,2:9"}) {
    outcome = ValueSetText(evaluator.Evaluate(OperandTable(fetch, shared->operands())));
  }
  return outcome;
}

void Print(const std::string& name, std::size_t size, const char* of, const Cost& cost) {
  std::printf("%-26s %9zu %s: %8.3f s %7.1f bytes each  %s\n", name.c_str(), size, of, cost.seconds,
              cost.bytes / static_cast<double>(size), cost.outcome.c_str());
}

// `once` is of a quarter of the size.
void ExpectLinear(const std::string& name, std::size_t size, double bytes, const Cost& once,
                  const Cost& more) {
  if (!kMeasures) return;
  EXPECT_LE(more.bytes, 4e6 + bytes * static_cast<double>(size)) << name;
  EXPECT_LE(more.seconds, 0.2 + 10 * once.seconds) << name;
}

struct Case {
  std::string name;
  Shape shape;
  std::string outcome;  // "*": ends with this
  double bytes;         // for each character, at the most
};

void ExpectOutcome(const Case& each, const Cost& cost) {
  if (each.outcome.starts_with('*')) {
    EXPECT_TRUE(cost.outcome.ends_with(each.outcome.substr(1))) << each.name << cost.outcome;
  } else {
    EXPECT_EQ(cost.outcome, each.outcome) << each.name;
  }
}

const std::vector<Case>& Cases() {
  static const std::vector<Case> kCases = {
      {"sum", {"1", "+0", ""}, "1", 80},
      {"sum of metrics", {"i32", "-i32+i32", ""}, "8", 50},
      {"sum that has no end",
       {"", "1+", ""},
       "end: Arithmetic expression expected to follow PLUS",
       50},
      {"garbage at the end", {"1", "+1", "$"}, "end: Illegal character", 50},
      {"garbage", {"", "\x01\xff)(", ""}, "0: Illegal character", 10},
      {"identifier", {"", "a", ""}, "bind: Unknown operand metric", 10},
      {"number", {"", "9", ""}, "0: Constant value too large", 10},
      {"unterminated string", {"rescale(i32,\"", "x", ""}, "12: unterminated STRING", 10},
      {"unterminated pattern", {"matchinst(/", "x", ""}, "10: unterminated pattern", 10},
      {"pattern",
       {"matchinst(/", "x", "/,i32.a)"},
       "10: bad regular expression: 'Regular expression too big'",
       10},
      {"unterminated instance", {"i32.a[", "\\", ""}, "5: unterminated instance name", 10},
      {"instance", {"i32.a[", "x", "]"}, "none", 10},
      {"units",
       {"rescale(i32,\"", "x", "\")"},
       "end: Illegal units: 'unrecognized or duplicate base unit'",
       10},
      {"parentheses", {"", "(", "i32", ")"}, "8", 20},
      {"open parentheses", {"", "(", ""}, "end: Unexpected initial '('", 40},
      {"minuses", {"", "--", "i32"}, "8", 100},
      {"nots", {"", "!!", "i32"}, "1", 100},
      {"sums to the right", {"", "i32*0+(", "i32", ")"}, "8", 60},
      {"sums of sets to the right", {"", "-i32.a*0+(", "i32.a", ")"}, "0:3 1:5 2:9", 100},
      {"ternaries to the right", {"", "i32?i32:", "i32"}, "8", 50},
      {"ternaries in the middle", {"", "i32?", "i32", ":i32"}, "8", 60},
      {"static ternaries", {"", "1?", "i32", ":i32"}, "8", 100},
      {"tests of definition",
       {"", "defined(i32)?i32:", "u32"},
       "bind: Different types for ternary operands",
       50},
      {"deltas", {"", "delta(", "i32", ")"}, "none", 60},
      {"rates", {"", "rate(", "i32", ")"}, "bind: Incorrect time dimension for operand", 40},
      {"rescales", {"", "rescale(", "i32.count", ",\"count\")"}, "8", 40},
      {"patterns", {"", "matchinst(/a/,", "i32.a", ")"}, "0:3 1:5 2:9", 60},
      {"patterns that repeat",
       {"", "matchinst(/((a{1,30}){1,30}){1,30}|/,", "i32.a", ")"},
       "*patterns that repeat more than is allowed",
       60},
      {"constants", {"1", "+mkconst(0,type=u32,semantics=instant)", ""}, "1", 30},
      {"metadata", {"1", "+mkconst(0,meta=i32)", ""}, "1", 40},
      {"aggregates", {"1", "+0*sum(i32.a)", ""}, "1", 60},
  };
  return kCases;
}

class HostileGrowthTest : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Texts, HostileGrowthTest, testing::ValuesIn(Cases()),
                         [](const testing::TestParamInfo<Case>& each) {
                           std::string name = each.param.name;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

TEST_P(HostileGrowthTest, TimeAndMemoryGrowAsTheTextDoes) {
  const Case& each = GetParam();
  const char* const wanted = std::getenv("PMPROOF_HOSTILE_SIZE");
  const std::size_t size = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 800'000;
  const auto cost = [&](std::size_t characters) {
    return CostOf([&] { return each.shape.OfSize(characters); }, OutcomeOf);
  };
  const Cost once = cost(size / 4);
  const Cost more = cost(size);
  Print(each.name, size, "characters", more);
  ExpectOutcome(each, more);
  ExpectLinear(each.name, size, each.bytes, once, more);
}

// Definitions, each of which leans on the next, and the last on `end`; the first is bound.
// V60 computes with derived metrics, the others know aliases of them alone (DER-702).
std::string OutcomeOfChain(const Dialect& dialect, const std::string& count,
                           const std::string& end) {
  const std::size_t links = std::stoul(count);
  Registry registry(Registry::Scope::kGlobal, dialect);
  const std::string more = dialect.name == kV60.name ? " + 1" : "";
  const auto name = [](std::size_t link) { return "x." + std::to_string(link); };
  for (std::size_t i = 0; i < links; ++i) {
    const std::string text = (i + 1 == links ? end : name(i + 1)) + more;
    if (!registry.Register(name(i), text)) return "not registered";
  }
  const NamedMetrics metrics;
  DerivedContext context(metrics, registry);
  const auto* const bound = context.Bind(name(0));
  if (bound == nullptr) return "no such name";
  return *bound ? DescriptorText((*bound)->descriptor()) : bound->error().message;
}

std::string OutcomeOfTakenNames(const std::string& count) {
  Registry registry(Registry::Scope::kGlobal, kV72);
  std::string outcome;
  for (std::size_t i = 0; i < std::stoul(count); ++i) {
    const auto taken = registry.Register("x.y", "i32 + " + std::to_string(i));
    outcome = taken ? "taken" : taken.error().message;
  }
  return outcome;
}

TEST(HostileDefinitionsTest, TakeTimeAndMemoryAsTheirNumber) {  // DER-203, 213
  constexpr std::size_t kLarge = 100'000;
  struct Chain {
    std::string name;
    std::function<std::string(const std::string& count)> use;
    std::string outcome;
    double bytes;
  };
  const std::vector<Chain> chains = {
      {"chain of aliases", [](auto& count) { return OutcomeOfChain(kV72, count, "i32"); },
       "32 instant -", 1500},
      {"chain of sums", [](auto& count) { return OutcomeOfChain(kV60, count, "i32"); },
       "u32 instant -", 1500},
      {"chain to nothing", [](auto& count) { return OutcomeOfChain(kV60, count, "no.such"); },
       "Metadata for operand metric not available", 1500},
      {"circle of aliases", [](auto& count) { return OutcomeOfChain(kV72, count, "x.0"); },
       "Metadata for operand metric not available", 1500},
      {"circle of sums", [](auto& count) { return OutcomeOfChain(kV60, count, "x.0"); },
       "Metadata for operand metric not available", 1500},
      {"taken name", OutcomeOfTakenNames, "Duplicate global derived metric name", 10},
  };
  for (const Chain& each : chains) {
    const Cost once = CostOf([&] { return std::to_string(kLarge / 4); }, each.use);
    const Cost more = CostOf([&] { return std::to_string(kLarge); }, each.use);
    Print(each.name, kLarge, "definitions", more);
    EXPECT_EQ(more.outcome, each.outcome) << each.name;
    ExpectLinear(each.name, kLarge, each.bytes, once, more);
  }
}

// How much is said of a configuration file, and how many definitions it has.
class Counting final : public ConfigurationListener {
 public:
  void OnDefinition(const Definition&, std::string_view, std::uint64_t) override {}
  void OnProblem(const ConfigurationProblem& problem) override {
    ++problems;
    said += ToText(problem).size();
  }

  std::size_t problems = 0;
  std::size_t said = 0;
};

std::string OutcomeOfConfiguration(const std::string& text) {
  Registry registry(Registry::Scope::kGlobal, kV72);
  Controls controls;
  Counting listener;
  const std::uint64_t taken = LoadConfiguration(text, "f", {&registry, &controls}, listener);
  return std::to_string(taken) + " taken, " + std::to_string(listener.problems) + " not" +
         (listener.said > 64 * text.size() + 1000 ? ", too much is said" : "");
}

TEST(HostileConfigurationTest, TakesTimeAndMemoryAsItsLength) {  // DER-304, 305, 325
  const char* const wanted = std::getenv("PMPROOF_HOSTILE_SIZE");
  const std::size_t size = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 800'000;
  const std::vector<Case> cases = {
      {"long line", {"x = 1", "+0", "\n"}, "1 taken, 0 not", 60},
      {"long line with an error", {"x = 1", "+0", "$\n"}, "0 taken, 1 not", 60},
      {"long line of nothing", {"", "=", "\n"}, "0 taken, 1 not", 20},
      {"long name", {"", "x", " = 1\n"}, "1 taken, 0 not", 20},
      {"no end of the line", {"x = ", "1", ""}, "0 taken, 0 not", 20},
      {"line in many parts", {"x = 1", "+0\\\n", "\n"}, "1 taken, 0 not", 60},
      {"control of many parts", {"#control ", "debug_eval=1,", "\n"}, "0 taken, 1 not", 20},
      {"help text", {"x = 1\nx(helptext) = \"", "text ", "\"\n"}, "1 taken, 0 not", 20},
      {"attributes", {"x = 1\n", "x(oneline) = y\n", ""}, "*not", 20},
      {"names that are taken", {"", "x = 1\n", ""}, "*not", 20},
      {"empty lines", {"", "\n", ""}, "0 taken, 0 not", 20},
      {"lines of blanks", {"", " \n", ""}, "*not", 20},
  };
  for (const Case& each : cases) {
    const auto cost = [&](std::size_t characters) {
      return CostOf([&] { return each.shape.OfSize(characters); }, OutcomeOfConfiguration);
    };
    const Cost once = cost(size / 4);
    const Cost more = cost(size);
    Print(each.name, size, "characters", more);
    ExpectOutcome(each, more);
    ExpectLinear(each.name, size, each.bytes, once, more);
  }
}

}  // namespace
}  // namespace pmproof::derived
