// SPDX-License-Identifier: Apache-2.0
#include "generators/expression/batch.h"

#include <set>
#include <utility>

#include "generators/expression/mutated_text.h"
#include "generators/expression/random_sentence.h"
#include "reference/archive/instance_domain.h"
#include "reference/derived/archive_operands.h"
#include "reference/derived/parse.h"

namespace pmproof::generators {
namespace {

using derived::BindRequest;
using derived::DerivedContext;
using derived::OperandAnswer;
using derived::Registry;
using From = Undefined::From;

std::string NameOf(std::size_t number) { return "d.e" + std::to_string(number); }

// All metrics of the archive, one that is missing, and one of the library's own derived ones.
OperandSet OperandsOf(const replay::ReplayArchive& archive) {
  std::vector<OperandMetric> metrics;
  std::set<std::string> instances;
  for (const auto& [pmid, metric] : archive.metrics()) {
    for (const std::string_view name : metric.names) {
      metrics.push_back({std::string(name), {OperandAnswer::Kind::kMetric, metric.descriptor}});
    }
    const replay::ReplayDomain* const domain = archive.DomainOf(metric.descriptor.indom);
    if (domain == nullptr) continue;
    for (const archive::InstanceDomain::Step& step : domain->records.steps()) {
      archive::InstanceCursor(domain->records, step.time)
          .ForEach([&](std::int32_t, std::string_view name) { instances.emplace(name); });
    }
  }
  metrics.push_back({"no.such", {}});
  metrics.push_back(
      {"event.flags",
       {OperandAnswer::Kind::kDerived,
        {Pmid::Of(511, 0, 1), MetricType::kU32, Indom::Null(), Semantics::kDiscrete, Units{}}}});
  return {std::move(metrics), {instances.begin(), instances.end()}};
}

}  // namespace

BatchMaker::BatchMaker(const replay::ReplayArchive& archive,
                       const replay::emulation::RecordLog& log, const derived::Dialect& dialect)
    : archive_(archive), log_(log), dialect_(dialect), operands_(OperandsOf(archive)) {}

Result<Batch> BatchMaker::Make(std::uint64_t seed, std::uint64_t number, std::size_t size) const {
  Random random = Random(seed).Fork(number);
  Batch batch;
  // Backward and after seeks PCP soon destroys its memory, the sooner the more it is asked for.
  const std::uint64_t draw = random.Below(10);
  if (draw == 0) {
    batch.plan.kind = FetchPlan::Kind::kBackward;
    size = (size + 7) / 8;
  } else if (draw < 3) {
    batch.plan.kind = FetchPlan::Kind::kSeeking;
    size = (size + 3) / 4;
  }
  for (std::size_t i = 0; i < size; ++i) {
    const SentenceTaste taste = RandomTaste(random, static_cast<std::size_t>(random.Below(101)));
    ExpressionAnswer& answer = batch.expressions.emplace_back();
    answer.text = ToText(RandomSentence(random, taste, operands_, dialect_));
    answer.nearly = random.Chance(3, 10);
    if (answer.nearly) answer.text = MutatedText(random, answer.text);
  }
  return Answer(random, std::move(batch));
}

Result<Batch> BatchMaker::Answer(Random& random, const std::vector<std::string>& texts) const {
  Batch batch;
  for (const std::string& text : texts) batch.expressions.emplace_back().text = text;
  return Answer(random, std::move(batch));
}

Result<Batch> BatchMaker::Answer(Random& random, Batch batch) const {
  const Timestamp begin = archive_.origin().start();
  batch.plan = RandomFetchPlan(random, batch.plan.kind, begin, archive_.End().value_or(begin));
  batch.fetch_added = random.Chance(1, 4);
  const derived::ArchiveOperands operands(archive_);
  Registry global(Registry::Scope::kGlobal, dialect_);
  Registry nothing(Registry::Scope::kGlobal, dialect_);
  global.RegisterEventMetrics();
  nothing.RegisterEventMetrics();
  DerivedContext of_all(operands, global);
  DerivedContext of_one(operands, nothing);
  for (std::size_t i = 0; i < batch.expressions.size(); ++i) {
    Define(NameOf(i), &batch.expressions[i], &global, &of_all, &of_one);
  }
  if (const auto failed = FetchAll(batch.fetch_added ? &of_one : &of_all, &batch)) {
    return tl::unexpected(*failed);
  }
  return batch;
}

void BatchMaker::Define(const std::string& name, ExpressionAnswer* answer, Registry* global,
                        DerivedContext* of_all, DerivedContext* of_one) const {
  const auto parsed = derived::Parse(answer->text, dialect_);
  if (!parsed) {
    answer->undefined = UndefinedInText(answer->text, parsed.error(), dialect_);
    if (answer->undefined) return;
  }
  const auto registered = global->Register(name, answer->text);
  const auto not_added = of_one->Add(name, answer->text);
  const auto define = [&](DerivedContext* context, bool per_context, DefinitionAnswer* definition) {
    const DerivedContext::BoundMetric* const bound = context->Bind(name);
    if (parsed) {
      definition->undefined =
          UndefinedInBinding(*parsed, bound != nullptr && *bound ? &**bound : nullptr, dialect_,
                             *context, BindRequest{name, per_context});
    }
    if (bound == nullptr) return;
    if (*bound) {
      definition->descriptor = (*bound)->descriptor();
    } else {
      definition->where = bound->error().where;
      definition->reason = bound->error().message;
      definition->clause = bound->error().clause;
    }
  };
  if (!registered) answer->global.error = registered.error();
  define(of_all, false, &answer->global);
  if (not_added) {
    answer->added.error = *not_added;
    answer->added.message = derived::RegistrationMessage(derived::RegistrationCall::kAdd, name,
                                                         answer->text, *not_added);
  }
  define(of_one, true, &answer->added);
}

std::optional<Status> BatchMaker::FetchAll(DerivedContext* context, Batch* batch) const {
  const DerivedValues values(archive_, log_, dialect_);
  std::vector<std::string> names;
  std::vector<ExpressionAnswer*> answers;
  for (std::size_t i = 0; i < batch->expressions.size(); ++i) {
    ExpressionAnswer& answer = batch->expressions[i];
    const DefinitionAnswer& definition = batch->fetch_added ? answer.added : answer.global;
    if (answer.undefined || definition.undefined || !definition.descriptor) continue;
    answer.undefined = UndefinedInValues(**context->Bind(NameOf(i)), dialect_);
    if (answer.undefined) continue;
    names.push_back(NameOf(i));
    answers.push_back(&answer);
  }
  const auto undefined = values.Watch(context, names, batch->plan);
  std::vector<std::string> fetched;
  std::vector<ExpressionAnswer*> fetched_answers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    answers[i]->undefined = undefined[i];
    if (undefined[i]) continue;
    fetched.push_back(names[i]);
    fetched_answers.push_back(answers[i]);
  }
  auto texts = values.Fetch(context, fetched, batch->plan);
  if (!texts) return texts.error();
  batch->fetches = texts->fetches;
  for (std::size_t i = 0; i < fetched.size(); ++i) {
    fetched_answers[i]->values = std::move(texts->metrics[i]);
  }
  return std::nullopt;
}

}  // namespace pmproof::generators
