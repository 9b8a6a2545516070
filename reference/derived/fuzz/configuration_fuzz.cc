// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/configuration.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "reference/derived/derived_context.h"
#include "reference/derived/testing/named_metrics.h"

// Any configuration file in any dialect: the first byte chooses it. What is said of a line has a
// place in the file; what is taken can be found, and bound or not.

namespace pmproof::derived {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

class Listener final : public ConfigurationListener {
 public:
  explicit Listener(std::uint64_t lines) : lines_(lines) {}

  void OnDefinition(const Definition& definition, std::string_view, std::uint64_t line) override {
    Require(line >= 1 && line <= lines_ && !definition.name.empty());
    ++definitions;
  }
  void OnProblem(const ConfigurationProblem& problem) override {
    Require(problem.line <= lines_ && problem.file == "f" && !problem.message.empty());
    Require(ToText(problem).ends_with('\n'));
    if (problem.refused) {
      const auto size = static_cast<std::int64_t>(problem.expression.size());
      Require(problem.refused->position >= -1 && problem.refused->position <= size);
    }
  }

  std::uint64_t definitions = 0;

 private:
  std::uint64_t lines_;
};

void Load(std::string_view text, const Dialect& dialect) {
  Registry registry(Registry::Scope::kGlobal, dialect);
  Controls controls;
  const auto newlines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  Listener listener(newlines + 1);
  const std::uint64_t loaded = LoadConfiguration(text, "f", {&registry, &controls}, listener);
  Require(loaded == listener.definitions && loaded <= newlines);
  const NamedMetrics metrics;
  DerivedContext context(metrics, registry, controls.option_novalue());
  for (const auto& [name, definition] : registry.definitions()) {
    Require(registry.Find(definition->pmid) == definition);
    static_cast<void>(context.Bind(name));
  }
}

}  // namespace
}  // namespace pmproof::derived

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pmproof::derived;  // NOLINT(google-build-using-namespace)
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  Load(text, *kDialects[data[0] % kDialects.size()]);
  return 0;
}
