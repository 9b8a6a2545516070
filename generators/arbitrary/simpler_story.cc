// SPDX-License-Identifier: Apache-2.0
#include "generators/arbitrary/simpler_story.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace pmproof::generators {
namespace {

// The places of a setup: what pointed after the one that is gone points one further in front.
// False if it pointed to that one.
bool Follow(std::size_t& place, std::size_t gone) {
  if (place == gone) return false;
  if (place > gone) --place;
  return true;
}

void RemoveMetric(Story& story, std::size_t gone) {
  const auto drop_parameters = [gone](std::vector<Value>& values) {
    for (Value& value : values) {
      for (EventText& event : value.events) {
        std::erase_if(event.parameters,
                      [gone](EventParameterText& text) { return !Follow(text.metric, gone); });
      }
    }
  };
  story.setup.metrics.erase(story.setup.metrics.begin() + static_cast<std::ptrdiff_t>(gone));
  std::erase_if(story.steps, [&](Step& step) {
    if (auto* sample = std::get_if<Sample>(&step)) {
      std::erase_if(sample->readings,
                    [gone](Reading& reading) { return !Follow(reading.metric, gone); });
      for (Reading& reading : sample->readings) drop_parameters(reading.values);
    }
    if (auto* change = std::get_if<LabelChange>(&step)) {
      const bool stays = Follow(change->metric, gone);
      if (!stays) change->metric = 0;
      return !stays && change->level != LabelClass::kContext;
    }
    if (auto* change = std::get_if<Redefinition>(&step)) return !Follow(change->metric, gone);
    return false;
  });
}

// Its metrics become singular.
void RemoveDomain(Story& story, std::size_t gone) {
  story.setup.domains.erase(story.setup.domains.begin() + static_cast<std::ptrdiff_t>(gone));
  for (MetricSetup& metric : story.setup.metrics) {
    if (metric.domain && !Follow(*metric.domain, gone)) metric.domain.reset();
  }
  std::erase_if(story.steps, [gone](Step& step) {
    if (auto* change = std::get_if<DomainChange>(&step)) return !Follow(change->domain, gone);
    if (auto* change = std::get_if<Redefinition>(&step)) {
      if (change->domain && !Follow(*change->domain, gone)) change->domain.reset();
    }
    return false;
  });
}

// Calls visit(std::int32_t&) for each mention of an instance of a domain; of none: of the values of
// singular metrics.
template <typename Visit>
void ForEachInstance(Story& story, std::optional<std::size_t> domain, Visit visit) {
  if (domain) {
    for (std::int32_t& instance : story.setup.domains[*domain].instances) visit(instance);
  }
  for (Step& step : story.steps) {
    if (auto* change = std::get_if<DomainChange>(&step); change && domain == change->domain) {
      visit(change->instance);
      visit(change->by);
    }
    auto* sample = std::get_if<Sample>(&step);
    if (sample == nullptr) continue;
    for (Reading& reading : sample->readings) {
      const auto& metrics = story.setup.metrics;
      if (reading.metric >= metrics.size() || metrics[reading.metric].domain != domain) continue;
      for (Value& value : reading.values) visit(value.instance);
    }
  }
}

// Where something is in a story, so that an edit finds it in a copy.
template <typename T>
using Finder = std::function<T&(Story&)>;

template <typename T, typename Part>
Finder<Part> In(Finder<T> find, Part T::*part) {
  return [find, part](Story& story) -> Part& { return find(story).*part; };
}

template <typename T>
Finder<T> At(Finder<std::vector<T>> find, std::size_t i) {
  return [find, i](Story& story) -> T& { return find(story)[i]; };
}

template <typename Kind>
Finder<Kind> StepAt(std::size_t i) {
  return [i](Story& story) -> Kind& { return std::get<Kind>(story.steps[i]); };
}

class Simplifier {
 public:
  // `story` is only looked at.
  explicit Simplifier(const Story& story) : story_(const_cast<Story&>(story)) {}

  std::vector<StoryEdit> Edits() && {
    Fewer(steps_);
    for (std::size_t i = story_.setup.metrics.size(); i-- > 0;)
      Add([i](Story& story) { RemoveMetric(story, i); });
    for (std::size_t i = story_.setup.domains.size(); i-- > 0;)
      Add([i](Story& story) { RemoveDomain(story, i); });
    ForEach(domains_, [this](const auto& domain) { Fewer(In(domain, &DomainSetup::instances)); });
    ForEachStep<Sample>([this](const auto& sample) { Fewer(In(sample, &Sample::readings)); });
    ForEachReading([this](const auto& reading) { Fewer(In(reading, &Reading::values)); });
    ForEachValue([this](const auto& value) { Fewer(In(value, &Value::events)); });
    ForEachEvent([this](const auto& event) { Fewer(In(event, &EventText::parameters)); });
    FewerWords();
    PlainMetrics();
    SmallerNumbers();
    return std::move(edits_);
  }

 private:
  void Add(StoryEdit edit) { edits_.push_back(std::move(edit)); }

  // Without each half, each quarter, ... each element of a vector or string.
  template <typename Container>
  void Fewer(Finder<Container> find) {
    const std::size_t size = find(story_).size();
    for (std::size_t length = size; length > 0; length /= 2) {
      for (std::size_t first = 0; first + length <= size; first += length) {
        Add([find, first, length](Story& story) {
          Container& all = find(story);
          const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
          all.erase(begin, begin + static_cast<std::ptrdiff_t>(length));
        });
      }
    }
  }

  // `plain` instead of what is there.
  template <typename T>
  void Plain(Finder<T> find, const T& plain) {
    if (find(story_) == plain) return;
    Add([find, plain](Story& story) { find(story) = plain; });
  }

  // Nearer to 0: by all of the distance, half of it, ..., by one.
  template <typename T>
  void Smaller(Finder<T> find) {
    const T number = find(story_);
    for (T distance = number; distance > 0; distance = static_cast<T>(distance / 2)) {
      const T smaller = static_cast<T>(number - distance);
      Add([find, smaller](Story& story) { find(story) = smaller; });
    }
  }

  // Each instance under the smallest number that is free, wherever it is mentioned.
  void SmallerInstances(std::optional<std::size_t> domain) {
    std::set<std::int32_t> taken;
    ForEachInstance(story_, domain, [&taken](std::int32_t instance) { taken.insert(instance); });
    std::int32_t free = 0;
    while (domain && taken.contains(free)) ++free;
    for (const std::int32_t instance : taken) {
      if (instance <= free) continue;
      Add([domain, instance, free](Story& story) {
        ForEachInstance(story, domain, [instance, free](std::int32_t& mentioned) {
          if (mentioned == instance) mentioned = free;
        });
      });
    }
  }

  template <typename T, typename Visit>
  void ForEach(const Finder<std::vector<T>>& all, Visit visit) {
    for (std::size_t i = 0; i < all(story_).size(); ++i) visit(At(all, i));
  }

  template <typename Kind, typename Visit>
  void ForEachStep(Visit visit) {
    for (std::size_t i = 0; i < story_.steps.size(); ++i) {
      if (std::holds_alternative<Kind>(story_.steps[i])) visit(StepAt<Kind>(i));
    }
  }

  template <typename Visit>
  void ForEachReading(Visit visit) {
    ForEachStep<Sample>([&](const auto& sample) { ForEach(In(sample, &Sample::readings), visit); });
  }

  template <typename Visit>
  void ForEachValue(Visit visit) {
    ForEachReading([&](const auto& reading) { ForEach(In(reading, &Reading::values), visit); });
  }

  template <typename Visit>
  void ForEachEvent(Visit visit) {
    ForEachValue([&](const auto& value) { ForEach(In(value, &Value::events), visit); });
  }

  void FewerWords() {
    Fewer(In(setup_, &Setup::context_labels));
    Fewer(In(setup_, &Setup::agent_labels));
    Fewer(In(setup_, &Setup::cluster_labels));
    ForEach(domains_, [this](const auto& domain) {
      Fewer(In(domain, &DomainSetup::labels));
      Fewer(In(domain, &DomainSetup::instance_labels));
      Fewer(In(domain, &DomainSetup::one_line));
      Fewer(In(domain, &DomainSetup::help));
      Plain(In(domain, &DomainSetup::stem), DomainSetup().stem);
    });
    ForEach(metrics_, [this](const auto& metric) {
      Fewer(In(metric, &MetricSetup::labels));
      Fewer(In(metric, &MetricSetup::aliases));
      Fewer(In(metric, &MetricSetup::one_line));
      Fewer(In(metric, &MetricSetup::help));
    });
    for (std::size_t i = 0; i < story_.setup.metrics.size(); ++i) {
      const std::string name = i == 0 ? "m" : "m" + std::to_string(i);
      Plain(In(At(metrics_, i), &MetricSetup::name), name);
    }
    ForEachValue([this](const auto& value) { Fewer(In(value, &Value::text)); });
    Plain(In(setup_, &Setup::host), Setup().host);
    Plain(In(setup_, &Setup::timezone), Setup().timezone);
    Plain(In(setup_, &Setup::zoneinfo), Setup().zoneinfo);
  }

  void PlainMetrics() {
    ForEach(metrics_, [this](const auto& metric) {
      Plain(In(metric, &MetricSetup::type), MetricSetup().type);
      Plain(In(metric, &MetricSetup::semantics), MetricSetup().semantics);
      Plain(In(metric, &MetricSetup::units), MetricSetup().units);
      Plain(In(metric, &MetricSetup::valueless), false);
    });
  }

  void SmallerNumbers() {
    ForEachStep<Sample>([this](const auto& sample) {
      Plain(In(sample, &Sample::back), false);
      Smaller(In(sample, &Sample::after));
    });
    ForEachStep<Mark>([this](const auto& mark) {
      Plain(In(mark, &Mark::anywhere), false);
      Smaller(In(mark, &Mark::after));
    });
    ForEachReading([this](const auto& reading) { Plain(In(reading, &Reading::status), 0); });
    ForEachValue([this](const auto& value) {
      Plain(In(value, &Value::counting), Counting::kAdd);
      Smaller(In(value, &Value::number));
    });
    ForEachEvent([this](const auto& event) {
      Smaller(In(event, &EventText::before));
      Smaller(In(event, &EventText::flags));
      Smaller(In(event, &EventText::missed));
    });
    SmallerInstances(std::nullopt);
    for (std::size_t i = 0; i < story_.setup.domains.size(); ++i) SmallerInstances(i);
    ForEach(domains_, [this](const auto& domain) { Smaller(In(domain, &DomainSetup::serial)); });
    ForEach(metrics_, [this](const auto& metric) {
      Smaller(In(metric, &MetricSetup::cluster));
      Smaller(In(metric, &MetricSetup::item));
      Smaller(In(metric, &MetricSetup::first));
    });
    Plain(In(setup_, &Setup::start), Setup().start);
    Plain(In(setup_, &Setup::interval), Setup().interval);
    Plain(In(setup_, &Setup::pid), Setup().pid);
  }

  Story& story_;
  std::vector<StoryEdit> edits_;
  const Finder<Setup> setup_ = [](Story& story) -> Setup& { return story.setup; };
  const Finder<std::vector<Step>> steps_ = [](Story& story) -> std::vector<Step>& {
    return story.steps;
  };
  const Finder<std::vector<DomainSetup>> domains_ = In(setup_, &Setup::domains);
  const Finder<std::vector<MetricSetup>> metrics_ = In(setup_, &Setup::metrics);
};

}  // namespace

std::vector<StoryEdit> SimplerStories(const Story& story) { return Simplifier(story).Edits(); }

}  // namespace pmproof::generators
