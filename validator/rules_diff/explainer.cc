// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/explainer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/replay/emulation/explain.h"
#include "validator/replay/answer_source.h"
#include "validator/replay/value_text.h"
#include "validator/rules_diff/profile_side.h"

namespace pmproof::validator {
namespace {

using replay::FetchAnswer;
using replay::MetricAnswer;

// Reasons that differences could not be looked at name places: of many the first are enough.
constexpr std::size_t kMostReasons = 20;

std::string TextOf(ErrorCode error) { return "error " + std::to_string(static_cast<int>(error)); }

// Of a value, or that there is none.
std::string TextOf(const Value* value) {
  return value == nullptr ? "no value" : "value " + ValueText(*value);
}

std::string TextAt(const MetricAnswer& answer, std::optional<std::int32_t> instance) {
  if (!instance) return TextOf(answer.status);
  const auto found = std::ranges::find(answer.values, *instance, &replay::InstanceAnswer::instance);
  return TextOf(found == answer.values.end() ? nullptr : &found->value);
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace

void Explainer::Ask(const SideTask& task, const SideRequest& request) {
  task_ = &task;
  request_ = request;
  replayed_ = false;
  deviating_.clear();
}

std::string Explainer::Explain(std::uint64_t number, std::size_t metric,
                               std::optional<std::int32_t> instance, const Reply& baseline,
                               const Reply& candidate) {
  if (!std::exchange(replayed_, true)) Replay();
  if (number >= known_) {
    const bool kept = unknown_.size() < kMostReasons || unknown_.contains(why_unknown_);
    ++unknown_[kept ? why_unknown_ : "another reason"];
    return "";
  }
  const auto found = deviating_.find({number, metric, instance});
  if (found == deviating_.end()) return "";
  const auto text = [&](const Reply& reply) {
    if (!instance) return TextOf(reply.error);
    return TextOf(reply.value == nullptr ? nullptr : &reply.value->value);
  };
  const std::array of_sides{text(baseline), text(candidate)};
  const Deviating& known = found->second;
  if (of_sides == std::array{known.pcp, known.specified}) return known.by;
  if (of_sides == std::array{known.specified, known.pcp}) return known.by;
  return "";
}

void Explainer::Replay() {
  known_ = 0;
  why_unknown_.clear();
  std::optional<Status> error = FindDeviating();
  if (!error && !deviating_.empty()) error = FindSpecified();
  if (error) why_unknown_ = error->ToText();
}

std::optional<Status> Explainer::FindDeviating() {
  EmulationRequest request;
  for (std::size_t i = request_.first; i < request_.last; ++i) {
    request.metrics.push_back(task_->metrics[i].descriptor.pmid);
  }
  request.version = version_;
  request.counter_wrap = counter_wrap_;
  request.explain = true;
  request.ascending = true;
  request.memory = task_->memory;
  const Times times(request_.start, request_.Step(), request_.count, /*normalised=*/true);
  const auto note = [this](const FetchAnswer& answer, const Deviations& deviations) {
    for (std::size_t i = 0; i < std::min(deviations.size(), answer.metrics.size()); ++i) {
      for (const DeviatingValue& value : deviations[i]) {
        deviating_[{known_, request_.first + i, value.instance}] = {
            TextAt(answer.metrics[i], value.instance), "", Joined(value.by)};
      }
    }
    ++known_;
  };
  const auto error = EmulatedAnswers(task_->archive, std::move(request), times)->Read(note);
  if (!error) return std::nullopt;
  // What came before the place where the emulation ends stands.
  why_unknown_ = error->ToText();
  return error->kind == Status::Kind::kUnsupported ? std::nullopt : error;
}

std::optional<Status> Explainer::FindSpecified() {
  const auto wrap = counter_wrap_ ? replay::CounterWrap::kOn : replay::CounterWrap::kOff;
  ProfileSide specified(replay::emulation::ReferenceOf(version_, wrap));
  auto next = deviating_.begin();
  std::uint64_t number = 0;
  const auto note = [&](const FetchAnswer& answer, std::span<const Reason>) {
    for (; next != deviating_.end() && std::get<0>(next->first) == number; ++next) {
      const auto& [fetch, metric, instance] = next->first;
      const std::size_t i = metric - request_.first;
      if (i < answer.metrics.size()) next->second.specified = TextAt(answer.metrics[i], instance);
    }
    ++number;
    return next != deviating_.end();
  };
  const std::optional<Status> error = specified.Answer(*task_, std::array{request_}, note);
  if (error) known_ = 0;
  return error;
}

}  // namespace pmproof::validator
