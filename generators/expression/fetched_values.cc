// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/fetched_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "reference/derived/archive_instances.h"
#include "reference/derived/derived_replay.h"
#include "reference/derived/evaluate.h"
#include "reference/replay/emulation/explain.h"
#include "reference/replay/emulation/pcp_context.h"
#include "reference/replay/fetch_script.h"

namespace pmproof::generators {
namespace {

using derived::BoundExpression;
using derived::ValueSet;
using replay::emulation::EmulatedFetch;
using replay::emulation::EmulatedMetric;
using replay::emulation::EmulatedValue;

constexpr std::size_t kNone = ~std::size_t{0};
constexpr ErrorCode kPmidLog{-12378};  // INT-405c

void AppendHex(std::uint64_t number, std::string* text) {
  char digits[20];
  text->append(digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr);
}

void AppendValue(std::int32_t instance, const Value& value, std::string* text) {
  *text += std::to_string(instance) + ":";
  const bool nan = (value.type == MetricType::kFloat && std::isnan(value.AsFloat())) ||
                   (value.type == MetricType::kDouble && std::isnan(value.AsDouble()));
  if (nan) {
    *text += "nan";
  } else if (IsNumeric(value.type)) {
    AppendHex(value.bits, text);
  } else {
    *text += 's';
    Bytes bytes = value.opaque;
    while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
    for (const std::uint8_t byte : bytes) {
      if (byte < 16) *text += '0';
      AppendHex(byte, text);
    }
  }
  *text += ' ';
}

void AppendError(char what, std::int32_t code, std::string* text) {
  *text += what;
  *text += std::to_string(code);
}

// The operands of one metric in one fetch of the emulation.
class EmulatedOperands final : public derived::FetchedOperands {
 public:
  EmulatedOperands(Timestamp time, std::span<const ValueSet> values,
                   std::span<const std::size_t> positions, derived::ArchiveInstances* instances,
                   derived::ArchiveInstances* names)
      : time_(time), values_(values), positions_(positions), instances_(instances), names_(names) {}

  Timestamp time() const override { return time_; }
  const ValueSet& Values(std::uint32_t operand) const override {
    static const ValueSet kUnknown{kPmidLog};
    const std::size_t position = positions_[operand];
    return position == kNone ? kUnknown : values_[position];
  }
  std::optional<std::int32_t> FindInstance(Indom indom, std::string_view name) const override {
    return instances_->FindInstance(indom, name);
  }
  std::optional<std::string> InstanceName(Indom indom, std::int32_t instance) const override {
    return names_->InstanceName(indom, instance);
  }
  tl::expected<std::vector<std::int32_t>, ErrorCode> Instances(Indom indom) const override {
    return instances_->Instances(indom);
  }

 private:
  const Timestamp time_;
  const std::span<const ValueSet> values_;
  const std::span<const std::size_t> positions_;
  derived::ArchiveInstances* const instances_;
  derived::ArchiveInstances* const names_;
};

// Some derived metrics, and what they ask of the archive: each operand once, by its number in the
// log.
struct OperandList {
  OperandList(const replay::ReplayArchive& archive, derived::DerivedContext* context,
              const std::vector<std::string>& names) {
    std::map<std::size_t, std::size_t> places;
    for (const std::string& name : names) {
      metrics.push_back(std::make_shared<const BoundExpression>(**context->Bind(name)));
      std::vector<std::size_t>& own = positions.emplace_back();
      for (const derived::Operand& operand : metrics.back()->operands()) {
        const auto metric = archive.metrics().find(operand.descriptor.pmid);
        if (metric == archive.metrics().end()) {
          own.push_back(kNone);
          continue;
        }
        const auto number =
            static_cast<std::size_t>(std::distance(archive.metrics().begin(), metric));
        const auto [place, added] = places.emplace(number, fetched.size());
        if (added) fetched.push_back(number);
        own.push_back(place->second);
      }
    }
    if (fetched.empty()) fetched.push_back(0);  // a fetch of nothing is an error (INT-405)
  }

  std::vector<std::shared_ptr<const BoundExpression>> metrics;
  // In fetched, of each operand; kNone: a derived metric, which the archive does not have.
  std::vector<std::vector<std::size_t>> positions;
  std::vector<std::size_t> fetched;
};

// Plays a plan with the emulation: visit(EmulatedFetch) for each fetch, as long as it returns true.
template <typename Visit>
void Play(const replay::emulation::RecordLog& log, const derived::Dialect& dialect,
          const FetchPlan& plan, const OperandList& list, Visit&& visit) {
  replay::emulation::PcpContext context(log, dialect.version);
  for (const std::optional<Timestamp>& seek : plan.seeks) {
    if (seek) context.SetMode(*seek, plan.step);
    if (!visit(context.Fetch(list.fetched))) return;
  }
}

std::vector<ValueSet> ValuesOf(const EmulatedFetch& fetch) {
  std::vector<ValueSet> values;
  for (const EmulatedMetric& metric : fetch.metrics) {
    ValueSet& set = values.emplace_back();
    if (metric.numval < 0) set.status = static_cast<ErrorCode>(metric.numval);
    for (const EmulatedValue& value : metric.values) {
      set.pairs.push_back({value.instance, value.value});
    }
  }
  return values;
}

// Calls take(k, EmulatedOperands) for each metric k of each fetch; fail(code) for a fetch that is
// an error. The number of fetches before PCP destroys its memory.
template <typename Take, typename Fail>
std::size_t PlayOperands(const replay::ReplayArchive& archive,
                         const replay::emulation::RecordLog& log, const derived::Dialect& dialect,
                         const FetchPlan& plan, const OperandList& list, Take&& take, Fail&& fail) {
  derived::ArchiveInstances instances(archive, {});
  derived::ArchiveInstances names(archive, {});
  std::size_t count = 0;
  Play(log, dialect, plan, list, [&](const EmulatedFetch& fetch) {
    if (fetch.undefined) return false;
    ++count;
    if (fetch.status != ErrorCode::kOk) {
      fail(fetch.status);
      return true;
    }
    instances.MoveTo(replay::Advance(fetch.time, plan.step, false));
    names.MoveTo(fetch.time);
    const std::vector<ValueSet> values = ValuesOf(fetch);
    for (std::size_t k = 0; k < list.metrics.size(); ++k) {
      take(k, EmulatedOperands(fetch.time, values, list.positions[k], &instances, &names));
    }
    return true;
  });
  return count;
}

// "1:5 0:3 |..." by instance.
std::string Sorted(std::string_view text) {
  std::string sorted;
  std::vector<std::pair<std::int32_t, std::string_view>> pairs;
  const auto flush = [&] {
    std::ranges::stable_sort(pairs, {}, &std::pair<std::int32_t, std::string_view>::first);
    for (const auto& [instance, pair] : pairs) sorted.append(pair);
    pairs.clear();
  };
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" |");
    if (end == std::string_view::npos || text[end] == '|') {  // an error, or the end of a fetch
      flush();
      const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
      sorted.append(text.substr(0, length));
      text.remove_prefix(length);
      continue;
    }
    std::int32_t instance = 0;
    std::from_chars(text.data(), text.data() + end, instance);
    pairs.emplace_back(instance, text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  flush();
  return sorted;
}

}  // namespace

std::vector<std::optional<Undefined>> DerivedValues::Watch(derived::DerivedContext* context,
                                                           const std::vector<std::string>& names,
                                                           const FetchPlan& plan) const {
  const OperandList list(archive_, context, names);
  std::vector<ValueWatch> watches;
  for (const auto& metric : list.metrics) watches.emplace_back(*metric, dialect_);
  PlayOperands(
      archive_, log_, dialect_, plan, list,
      [&](std::size_t k, const derived::FetchedOperands& operands) { watches[k].Take(operands); },
      [](ErrorCode) {});
  std::vector<std::optional<Undefined>> found;
  found.reserve(watches.size());
  for (const ValueWatch& watch : watches) found.push_back(watch.found());
  return found;
}

Result<FetchedTexts> DerivedValues::Fetch(derived::DerivedContext* context,
                                          const std::vector<std::string>& names,
                                          const FetchPlan& plan) const {
  FetchedTexts found;
  found.metrics.resize(names.size());
  const OperandList list(archive_, context, names);
  std::vector<derived::Evaluator> evaluators;
  for (const auto& metric : list.metrics) evaluators.emplace_back(metric, dialect_);
  found.fetches = PlayOperands(
      archive_, log_, dialect_, plan, list,
      [&](std::size_t k, const derived::FetchedOperands& operands) {
        const ValueSet& values = evaluators[k].Evaluate(operands);
        std::string& text = found.metrics[k].emulated;
        if (values.status != ErrorCode::kOk) {
          AppendError('e', static_cast<std::int32_t>(values.status), &text);
        }
        for (const derived::Pair& pair : values.pairs) {
          AppendValue(pair.instance, pair.value, &text);
        }
        text += '|';
      },
      [&](ErrorCode code) {
        for (FetchedText& metric : found.metrics) {
          AppendError('E', static_cast<std::int32_t>(code), &metric.emulated);
          metric.emulated += '|';
        }
      });

  derived::DerivedReplay::Request request;
  for (const std::string& name : names) {
    request.metrics.push_back(context->Definition(name)->pmid);
  }
  request.step = plan.StepNanoseconds();
  derived::DerivedReplay replayed(archive_, context, dialect_, request);
  replay::ReplayRequest fetches;
  fetches.metrics = replayed.fetched();
  fetches.direction = replay::DirectionOf(plan.step);
  std::vector<std::size_t> all(fetches.metrics.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<replay::ScriptedFetch> script;
  Timestamp time;
  for (std::size_t i = 0; i < found.fetches; ++i) {
    time = plan.seeks[i] ? *plan.seeks[i] : replay::Advance(time, plan.step, false);
    script.push_back({time, plan.seeks[i].has_value(), all});
  }
  const auto failed = replay::FetchScript(
      archive_, fetches,
      replay::emulation::ReferenceOf(dialect_.version, replay::CounterWrap::kOff), script,
      [&](const replay::FetchAnswer& answer) {
        const replay::FetchAnswer& taken = replayed.Take(answer);
        for (std::size_t k = 0; k < found.metrics.size(); ++k) {
          std::string& text = found.metrics[k].reference;
          if (taken.status != ErrorCode::kOk) {
            AppendError('E', static_cast<std::int32_t>(taken.status), &text);
          } else if (taken.metrics[k].status != ErrorCode::kOk) {
            AppendError('e', static_cast<std::int32_t>(taken.metrics[k].status), &text);
          } else {
            for (const replay::InstanceAnswer& value : taken.metrics[k].values) {
              AppendValue(value.instance, value.value, &text);
            }
          }
          text += '|';
        }
      });
  if (failed) return tl::unexpected(*failed);

  const bool differ = std::ranges::any_of(found.metrics, [](const FetchedText& metric) {
    return Sorted(metric.emulated) != metric.reference;
  });
  if (!differ) return found;
  std::vector<replay::emulation::ExplainedStep> steps;
  for (std::size_t i = 0; i < found.fetches; ++i) {
    replay::emulation::ExplainedStep& step = steps.emplace_back();
    if (plan.seeks[i]) step.seek = {*plan.seeks[i], plan.step};
    step.metrics = list.fetched;
  }
  std::vector<std::set<std::string>> of_operand(list.fetched.size());
  replay::emulation::ExplainRequest explain;
  explain.version = dialect_.version;
  const auto unexplained = replay::emulation::Explain(
      archive_, log_, explain, steps, [&](const replay::emulation::ExplainedFetch& fetch) {
        for (std::size_t i = 0; i < fetch.differences.size(); ++i) {
          for (const auto& deviation : replay::emulation::DeviationsOf(fetch.differences[i])) {
            of_operand[i].insert(replay::emulation::ToText(deviation));
          }
        }
      });
  if (unexplained) return tl::unexpected(*unexplained);
  for (std::size_t k = 0; k < found.metrics.size(); ++k) {
    for (const std::size_t position : list.positions[k]) {
      if (position == kNone) continue;
      found.metrics[k].deviations.insert(of_operand[position].begin(), of_operand[position].end());
    }
  }
  return found;
}

}  // namespace pmproof::generators
