// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/interp_metrics.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "validator/text/quote.h"

namespace pmproof::validator {

InterpMetrics::InterpMetrics(const replay::ReplayArchive& archive, const InterpArguments& arguments,
                             derived::DerivedContext* context, const derived::Dialect& dialect) {
  // The instances asked for are those of the domains of all metrics, and are known before a derived
  // one is made.
  for (const std::string& name : arguments.names) {
    known_.push_back(Find(name, archive, arguments, context));
  }
  for (std::size_t i = 0; i < known_.size(); ++i) {
    Known& known = known_[i];
    if (!known.fetched.empty() || context == nullptr) continue;
    const derived::DefinitionPointer definition = context->Definition(arguments.names[i]);
    if (!definition) continue;
    const derived::DerivedContext::BoundMetric* const bound = context->Bind(arguments.names[i]);
    if (bound == nullptr || !*bound) {
      known.unbound = true;
      known.fetched.push_back(Fetched(definition->pmid));
      continue;
    }
    known.derived = std::make_unique<derived::DerivedReplay>(
        archive, context, dialect,
        derived::DerivedReplay::Request{{definition->pmid}, instances_, 0, arguments.recorded});
    for (const Pmid pmid : known.derived->fetched()) {
      if (!pmid.IsNull()) known.fetched.push_back(Fetched(pmid));
    }
  }
  for (const std::vector<std::size_t>& names : arguments.lists) {
    List& list = lists_.emplace_back();
    std::map<std::size_t, std::size_t> places;  // in list.fetched
    std::set<std::size_t> listed_before;
    // What does not bind is asked of the archive where nothing else in the list is derived
    // (DER-710).
    const bool derives = std::ranges::any_of(
        names, [&](std::size_t name) { return known_[name].derived != nullptr; });
    for (const std::size_t name : names) {
      const Known& known = known_[name];
      Listed& listed = list.metrics.emplace_back();
      listed.metric = &known.text;
      listed.derived = known.derived.get();
      listed.refused = known.unbound && derives;
      if (listed.refused) continue;
      // A metric that is listed twice is fetched twice; an operand is fetched once (DER-1101).
      const bool again = !known.derived && !listed_before.insert(name).second;
      for (const std::size_t position : known.fetched) {
        const auto [place, added] = places.try_emplace(position, list.fetched.size());
        if (added || again) place->second = list.fetched.size();
        if (added || again) list.fetched.push_back(position);
        listed.answers.push_back(place->second);
      }
    }
  }
}

InterpMetrics::Known InterpMetrics::Find(const std::string& name,
                                         const replay::ReplayArchive& archive,
                                         const InterpArguments& arguments,
                                         derived::DerivedContext* context) {
  Known known;
  AppendQuoted(name, Quoting::kJson, &known.text.name);
  if (const std::optional<Pmid> pmid = archive.Find(name)) {
    Describe(archive.metrics().at(*pmid).descriptor, arguments, &known);
    known.fetched.push_back(Fetched(*pmid));
  } else if (context != nullptr) {
    const derived::DerivedContext::BoundMetric* const bound = context->Bind(name);
    if (bound != nullptr && *bound) Describe((*bound)->descriptor(), arguments, &known);
  }
  return known;
}

void InterpMetrics::Describe(const Descriptor& descriptor, const InterpArguments& arguments,
                             Known* known) {
  known->text.type = ToText(descriptor.type);
  known->text.singular = descriptor.indom.IsNull();
  if (arguments.instances.empty() || known->text.singular) return;
  if (domains_.insert(descriptor.indom).second) {
    instances_.Add(descriptor.indom, arguments.instances);
  }
}

std::size_t InterpMetrics::Fetched(Pmid pmid) {
  const auto [found, added] = positions_.try_emplace(pmid, fetched_.size());
  if (added) fetched_.push_back(pmid);
  return found->second;
}

void InterpMetrics::SetStep(replay::Delta delta) {
  for (const Known& known : known_) {
    if (known.derived) known.derived->set_step(delta.seconds * 1'000'000'000 + delta.nanoseconds);
  }
}

const replay::MetricAnswer& Derive(const InterpMetrics::Listed& listed, Timestamp time,
                                   const std::vector<replay::MetricAnswer>& answers) {
  replay::FetchAnswer fetch;
  fetch.time = time;
  for (const std::size_t answer : listed.answers) fetch.metrics.push_back(answers[answer]);
  if (fetch.metrics.empty()) fetch.metrics.emplace_back();  // of a null identifier
  return listed.derived->Take(fetch).metrics.front();
}

}  // namespace pmproof::validator
