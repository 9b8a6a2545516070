// SPDX-License-Identifier: Apache-2.0
#include "generators/generate.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

#include "generators/random.h"
#include "generators/scenarios/scenario.h"
#include "generators/story/composer.h"

namespace pmproof::generators {
namespace {

constexpr std::uint64_t kMostMetrics = 65536;
constexpr std::uint64_t kMostValues = 500'000;  // of one sample: it is held in memory
constexpr std::uint64_t kProgressBytes = 1 << 20;

Status Impossible(std::string message) {
  return {.kind = Status::Kind::kUsage, .message = std::move(message)};
}

char Small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Names that look like it, nearest first: those at the fewest edits, if these are not too many.
std::string NearestNames(std::string_view name, const std::vector<ScenarioKind>& table) {
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (const ScenarioKind& kind : table) {
    std::vector<std::size_t> row(kind.name.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < name.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i + 1);
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t replaced = diagonal + (Small(name[i]) == kind.name[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
      }
    }
    const bool part = name.size() >= 3 && kind.name.find(name) != std::string_view::npos;
    const std::size_t edits = part ? std::min<std::size_t>(row.back(), 2) : row.back();
    if (edits <= std::max<std::size_t>(2, kind.name.size() / 2))
      near.emplace_back(edits, kind.name);
  }
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string_view>::first);
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i)
    text += (i == 0 ? "; nearest: " : ", ") + std::string(near[i].second);
  return text;
}

// What the numbers of a recipe, by themselves, have against it.
std::optional<Status> CheckNumbers(const Recipe& recipe) {
  const auto zero = [](const std::optional<std::uint64_t>& number) { return number == 0U; };
  if (zero(recipe.records)) return Impossible("an archive has one record at least");
  if (zero(recipe.metrics)) return Impossible("an archive has one metric at least");
  if (zero(recipe.instances)) return Impossible("an instance domain has one instance at least");
  if (zero(recipe.volumes)) return Impossible("an archive has one volume at least");
  if (zero(recipe.size)) return Impossible("an archive has one byte of data at least");
  if (recipe.records && recipe.size)
    return Impossible("the number of records and the size cannot both be given");
  if (recipe.version != 2 && recipe.version != 3)
    return Impossible("there is no archive version " + std::to_string(recipe.version));
  const Extent usual;
  const std::uint64_t metrics = recipe.metrics.value_or(usual.metrics);
  const std::uint64_t instances = recipe.instances.value_or(usual.instances);
  if (metrics > kMostMetrics)
    return Impossible("at most " + std::to_string(kMostMetrics) + " metrics can be asked for");
  if (instances > kMostValues / metrics) {
    return Impossible(std::to_string(metrics) + " metrics of " + std::to_string(instances) +
                      " instances are more than the " + std::to_string(kMostValues) +
                      " values that fit into one record");
  }
  const std::uint64_t records = recipe.records.value_or(kDefaultRecords);
  if (!recipe.size && recipe.volumes.value_or(1) > records) {
    return Impossible(std::to_string(*recipe.volumes) + " volumes cannot be made of " +
                      std::to_string(records) + " records: each has one at least");
  }
  if (recipe.size && recipe.volumes.value_or(1) > *recipe.size) {
    return Impossible(std::to_string(*recipe.volumes) + " volumes cannot be made of " +
                      std::to_string(*recipe.size) + " bytes");
  }
  return std::nullopt;
}

// Hands on to the sink of the archive that is being made.
class Relay final : public ArchiveSink {
 public:
  std::optional<Status> Take(const archive::MetaRecordModel& record) override {
    return to->Take(record);
  }
  std::optional<Status> Take(const archive::ResultModel& result) override {
    return to->Take(result);
  }
  void NextVolume() override { to->NextVolume(); }
  ArchiveSink* to = nullptr;
};

class Teller final : public Generation {
 public:
  // `kinds` are those wanted, in the order of the table, with their places in it.
  Teller(const Recipe& recipe, std::vector<std::pair<std::size_t, ScenarioKind>> kinds)
      : recipe_(recipe), kinds_(std::move(kinds)) {
    stage_.seed = recipe.seed;
    stage_.extent.metrics = recipe.metrics.value_or(stage_.extent.metrics);
    stage_.extent.instances = recipe.instances.value_or(stage_.extent.instances);
    stage_.volumes = recipe.volumes.value_or(1);
    stage_.setup.version = recipe.version;
    if (!recipe_.size && !recipe_.records) recipe_.records = kDefaultRecords;
    std::set<Clause> rules;
    std::set<Clause> set_rules;
    bool unreadable = false;
    const Random random(recipe.seed);
    for (const auto& [place, kind] : kinds_) {
      rules.insert(kind.rules.begin(), kind.rules.end());
      set_rules.insert(kind.set_rules.begin(), kind.set_rules.end());
      stage_.cluster = static_cast<std::uint32_t>(place) + 1;
      stage_.name = kind.name;
      std::ranges::replace(stage_.name, '-', '_');
      players_.push_back({kind.make(), random.Fork(place)});
      players_.back().scenario->Join(stage_);
      least_ = std::max(least_, kind.least);
      unreadable = unreadable || kind.unreadable;
    }
    // What cannot be opened has no other faults as a set.
    if (unreadable) set_rules = {"ARC-2107"_clause};
    if (stage_.archives == 1) set_rules.clear();
    violates_.assign(rules.begin(), rules.end());
    set_violates_.assign(set_rules.begin(), set_rules.end());
    composer_.emplace(stage_.setup, relay_);
    turn_.emplace(*composer_);
  }

  std::uint64_t archives() const override { return stage_.archives; }
  archive::LabelModel Label() const override {
    archive::LabelModel label = composer_->Label();
    if (made_ > 0) label.start = composer_->now() + stage_.gap;
    return label;
  }
  archive::IndexPolicy Index() const override { return stage_.index; }
  const std::vector<Clause>* violates() const override { return &violates_; }
  const std::vector<Clause>& set_violates() const override { return set_violates_; }
  std::vector<std::pair<std::string, std::string>> Ingredients() const override;
  std::uint64_t ExpectedBytes() const override;
  std::optional<Status> Next(ArchiveSink& sink,
                             const std::function<void(std::uint64_t)>& progress) override;

  std::optional<Status> CheckStage() const;

 private:
  struct Player {
    std::unique_ptr<Scenario> scenario;
    Random random;
  };

  bool IsDone(std::uint64_t sample, std::uint64_t volume) const;
  bool BeginsVolume(std::uint64_t sample, std::uint64_t volume) const;
  std::optional<Status> PlaySample(std::uint64_t sample, bool begins_volume);

  Recipe recipe_;
  std::vector<std::pair<std::size_t, ScenarioKind>> kinds_;
  Stage stage_;
  std::vector<Player> players_;
  std::vector<Clause> violates_;
  std::vector<Clause> set_violates_;
  std::uint64_t least_ = 1;
  std::uint64_t made_ = 0;  // archives
  Relay relay_;
  std::optional<Composer> composer_;
  std::optional<Turn> turn_;
};

// What the scenarios have against the numbers.
std::optional<Status> Teller::CheckStage() const {
  const auto who = [this](const auto& wanted) -> std::string {
    for (const auto& [place, kind] : kinds_) {
      if (wanted(kind)) return "the scenario " + std::string(kind.name);
    }
    return "it";
  };
  if (recipe_.records && *recipe_.records < least_) {
    return Impossible(who([this](const ScenarioKind& kind) { return kind.least == least_; }) +
                      " needs " + std::to_string(least_) + " records at least");
  }
  if (recipe_.records && stage_.volumes > *recipe_.records) {
    return Impossible(std::to_string(stage_.volumes) + " volumes cannot be made of " +
                      std::to_string(*recipe_.records) + " records: each has one at least");
  }
  if (stage_.index.swapped && recipe_.records && *recipe_.records / stage_.volumes < kPeriod) {
    return Impossible("the scenario index-disorder needs " + std::to_string(kPeriod) +
                      " records in a volume at least");
  }
  if (recipe_.version == 2) {
    const auto room = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max() -
                                                 stage_.setup.start.seconds);
    if (recipe_.records.value_or(0) / (room / stage_.archives) > 0) {
      return Impossible("version 2 has no room for the times of " +
                        std::to_string(*recipe_.records) + " records: they go beyond 2038");
    }
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> Teller::Ingredients() const {
  std::string names;
  for (const auto& [place, kind] : kinds_) {
    if (!names.empty()) names += ',';
    names += kind.name;
  }
  std::vector<std::pair<std::string, std::string>> pairs = {{"seed", std::to_string(recipe_.seed)},
                                                            {"scenario", names}};
  if (recipe_.records) pairs.emplace_back("records", std::to_string(*recipe_.records));
  if (recipe_.size) pairs.emplace_back("size", std::to_string(*recipe_.size));
  pairs.emplace_back("metrics", std::to_string(stage_.extent.metrics));
  pairs.emplace_back("instances", std::to_string(stage_.extent.instances));
  pairs.emplace_back("volumes", std::to_string(stage_.volumes));
  pairs.emplace_back("archive-version", std::to_string(recipe_.version));
  if (stage_.archives > 1) {
    pairs.emplace_back("archive",
                       std::to_string(made_ + 1) + " of " + std::to_string(stage_.archives));
  }
  return pairs;
}

// By what the first dozen samples have.
std::uint64_t Teller::ExpectedBytes() const {
  if (recipe_.size) return *recipe_.size;
  if (*recipe_.records <= kPeriod) return 0;
  Recipe sample = recipe_;
  sample.records = kPeriod;
  sample.volumes.reset();
  Teller teller(sample, kinds_);
  NullSink nowhere;
  if (teller.Next(nowhere, {})) return 0;
  return teller.composer_->result_bytes() / kPeriod * *recipe_.records;
}

bool Teller::IsDone(std::uint64_t sample, std::uint64_t volume) const {
  if (recipe_.records) return sample >= *recipe_.records;
  return composer_->result_bytes() >= *recipe_.size && sample >= least_ &&
         volume + 1 >= stage_.volumes;
}

// Whether a sample is the first one of the volume after `volume`.
bool Teller::BeginsVolume(std::uint64_t sample, std::uint64_t volume) const {
  if (sample == 0 || volume + 1 >= stage_.volumes) return false;
  if (stage_.index.swapped && sample < kPeriod) return false;
  const std::uint64_t done = recipe_.records ? sample : composer_->result_bytes();
  const std::uint64_t all = recipe_.records ? *recipe_.records : *recipe_.size;
  // done / all >= (volume + 1) / volumes, without going beyond 64 bits.
  const std::uint64_t whole = all / stage_.volumes * (volume + 1);
  const std::uint64_t rest = all % stage_.volumes * (volume + 1) / stage_.volumes;
  return done >= whole + rest;
}

std::optional<Status> Teller::PlaySample(std::uint64_t sample, bool begins_volume) {
  Turn& turn = *turn_;
  turn.Clear();
  turn.number = sample;
  for (Player& player : players_) player.scenario->Play(turn, player.random);
  for (const Step& step : turn.before) {
    if (auto error = composer_->Take(step)) return error;
  }
  if (begins_volume) {
    if (auto error = composer_->Take(VolumeSwitch{})) return error;
  }
  const std::uint64_t before = composer_->results();
  if (auto error = composer_->Take(turn.Finished())) return error;
  if (composer_->results() == before) {
    return Status{.kind = Status::Kind::kUsage,
                  .clause = "ARC-504"_clause,
                  .message = "version 2 has no room for times beyond 2038: it is full after " +
                             std::to_string(sample) + " records"};
  }
  return std::nullopt;
}

std::optional<Status> Teller::Next(ArchiveSink& sink,
                                   const std::function<void(std::uint64_t)>& progress) {
  relay_.to = &sink;
  if (made_++ > 0) composer_->BeginArchive(relay_, stage_.gap);
  std::uint64_t reported = 0;
  const auto tell = [&] {
    if (progress) progress(composer_->result_bytes() - reported);
    reported = composer_->result_bytes();
  };
  std::uint64_t volume = 0;
  for (std::uint64_t sample = 0; !IsDone(sample, volume); ++sample) {
    const bool begins_volume = BeginsVolume(sample, volume);
    if (begins_volume) ++volume;
    if (auto error = PlaySample(sample, begins_volume)) return error;
    if (composer_->result_bytes() - reported >= kProgressBytes) tell();
  }
  std::vector<Step> last;
  for (const Player& player : players_) player.scenario->End(last);
  for (const Step& step : last) {
    if (auto error = composer_->Take(step)) return error;
  }
  if (auto error = composer_->Finish()) return error;
  tell();
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Generation>> Generation::Of(const Recipe& recipe) {
  if (auto error = CheckNumbers(recipe)) return tl::unexpected(*std::move(error));
  const std::vector<ScenarioKind> table = AllScenarios();
  std::set<std::size_t> wanted = {0};
  for (const std::string& name : recipe.scenarios) {
    const auto found = std::ranges::find(table, name, &ScenarioKind::name);
    if (found == table.end()) {
      return tl::unexpected(Impossible("there is no scenario " + name + NearestNames(name, table)));
    }
    if (found->version != 0 && found->version != recipe.version) {
      return tl::unexpected(Impossible("the scenario " + name + " is for version " +
                                       std::to_string(found->version) + " only"));
    }
    wanted.insert(static_cast<std::size_t>(found - table.begin()));
  }
  std::vector<std::pair<std::size_t, ScenarioKind>> kinds;
  for (const std::size_t place : wanted) kinds.emplace_back(place, table[place]);
  auto teller = std::make_unique<Teller>(recipe, std::move(kinds));
  if (auto error = teller->CheckStage()) return tl::unexpected(*std::move(error));
  return teller;
}

}  // namespace pmproof::generators
