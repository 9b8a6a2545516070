// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/pdu/testing/arbitrary_pdu.h"
#include "reference/pmda/runtime/active_profile.h"
#include "reference/pmda/runtime/testing/conversation.h"

// The protocol as a state machine: whatever is said in whatever order, the agent answers what a
// model of it says (PMD-023, PMD-025), and each request exactly as often as it may (PMD-047).

namespace pmproof::pmda {
namespace {

constexpr std::uint32_t kDomain = 401;
constexpr std::array kNames = {"one", "two", "three four", "five"};

struct OwnedEntry {
  std::uint32_t serial;  // 2 and above: a domain that the agent does not have
  std::int32_t state;
  std::vector<std::int32_t> instances;
};
struct OwnedProfile {
  std::int32_t state = 0;
  std::vector<OwnedEntry> entries;
};

// What the agent is thought to be: written down from the clauses, without the runtime's classes.
struct Model {
  OwnedProfile profile;
  std::array<std::map<std::string, std::int32_t>, 2> numbers;  // by first appearance (DSO-061)
  std::array<std::set<std::string>, 2> active;

  bool Includes(std::uint32_t serial, std::int32_t instance) const {  // PMD-025
    for (const OwnedEntry& entry : profile.entries) {
      if (entry.serial != serial) continue;
      const bool listed = std::count(entry.instances.begin(), entry.instances.end(), instance) > 0;
      return listed == (entry.state != 0);
    }
    return profile.state == 0;
  }

  std::map<std::int32_t, std::string> Instances(std::uint32_t serial) const {
    std::map<std::int32_t, std::string> found;
    for (const std::string& name : active.at(serial)) {
      found.emplace(numbers.at(serial).at(name), name);
    }
    return found;
  }
};

struct Real {
  Agent agent{{.name = "test", .domain = kDomain}};
  std::array<InstanceDomain*, 2> indoms{};
  std::unique_ptr<Conversation> talk;

  Real() {
    for (std::uint32_t serial = 0; serial < 2; ++serial) {
      indoms.at(serial) = &agent.AddIndom(serial);
      agent.AddMetric({.item = serial, .indom = serial},
                      [](std::int32_t instance) { return Value::Of(instance * 10); });
    }
    agent.AddMetric({.item = 2}, [](std::int32_t) { return Value::Of(7); });
    talk = std::make_unique<Conversation>(agent);
  }
};

using Command = rc::state::Command<Model, Real>;

std::uint32_t AnySerial() { return *rc::gen::inRange(0U, 2U); }
std::int32_t AnyInstance() { return *rc::gen::inRange(-1, 6); }
std::string Hex(std::int32_t number) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", static_cast<unsigned>(number));
  return text;
}

struct SayProfile : Command {
  std::int32_t context = *rc::gen::inRange(0, 3);
  std::int32_t from = *rc::gen::inRange(0, 3);
  OwnedProfile profile;

  SayProfile() {
    profile.state = *rc::gen::inRange(0, 3);
    const int count = *rc::gen::inRange(0, 4);
    for (int i = 0; i < count; ++i) {
      OwnedEntry entry{*rc::gen::inRange(0U, 3U), *rc::gen::inRange(0, 3), {}};
      const int listed = *rc::gen::inRange(0, 4);
      for (int j = 0; j < listed; ++j) entry.instances.push_back(AnyInstance());
      profile.entries.push_back(entry);
    }
  }
  void apply(Model& model) const override { model.profile = profile; }
  void run(const Model&, Real& real) const override {
    std::vector<pdu::ProfileEntry> entries;
    for (const OwnedEntry& entry : profile.entries) {
      entries.push_back({Indom::Of(kDomain, entry.serial), entry.state, entry.instances});
    }
    RC_ASSERT(real.talk->Ask(pdu::Profile{context, profile.state, entries}, from) == "silent");
  }
  void show(std::ostream& os) const override { os << "PROFILE"; }
};

// PMD-073: the profile before it stays.
struct SayBrokenProfile : Command {
  std::uint32_t at = *rc::gen::inRange(3U, 7U) * 4;
  void apply(Model&) const override {}
  void run(const Model&, Real& real) const override {
    const std::array<std::int32_t, 1> instances = {1};
    const std::array entries = {pdu::ProfileEntry{Indom::Of(kDomain, 0), 1, instances}};
    pdu::Buffer bytes;
    RC_ASSERT(pdu::Encode({0, pdu::Profile{0, 1, entries}}, &bytes).has_value());
    StoreU32(bytes.data() + (at == 16 || at == 24 ? 36 : at), 0x80000000);
    RC_ASSERT(real.talk->AskBytes(bytes) == "silent");
  }
  void show(std::ostream& os) const override { os << "broken PROFILE " << at; }
};

struct SayNothingOfInterest : Command {
  int what = *rc::gen::inRange(0, 3);
  void apply(Model&) const override {}
  void run(const Model&, Real& real) const override {
    const std::array version = {pdu::Credential::Version(2, 0)};
    const std::array<pdu::Body, 3> bodies = {pdu::Error{pdu::kErrNotConnected},
                                             pdu::Attr{pdu::Attribute::kUserId, "1"},
                                             pdu::Creds{version}};
    RC_ASSERT(real.talk->Ask(bodies.at(static_cast<std::size_t>(what)), 1) == "silent");
  }
  void show(std::ostream& os) const override { os << "silent PDU " << what; }
};

struct Appear : Command {
  std::uint32_t serial = AnySerial();
  std::string name = kNames.at(*rc::gen::inRange(std::size_t{0}, kNames.size()));
  void apply(Model& model) const override {
    auto& numbers = model.numbers.at(serial);
    numbers.emplace(name, static_cast<std::int32_t>(numbers.size()));
    model.active.at(serial).insert(name);
  }
  void run(const Model&, Real& real) const override {
    RC_ASSERT(real.indoms.at(serial)->Activate(name).has_value());
  }
  void show(std::ostream& os) const override { os << name << " appears in " << serial; }
};

struct Leave : Command {
  std::uint32_t serial = AnySerial();
  std::string name = kNames.at(*rc::gen::inRange(std::size_t{0}, kNames.size()));
  void apply(Model& model) const override { model.active.at(serial).erase(name); }
  void run(const Model& before, Real& real) const override {
    const auto number = before.numbers.at(serial).find(name);
    if (number != before.numbers.at(serial).end()) {
      real.indoms.at(serial)->Deactivate(number->second);
    }
  }
  void show(std::ostream& os) const override { os << name << " leaves " << serial; }
};

struct AskFetch : Command {
  std::int32_t context = *rc::gen::inRange(-1, 3);
  std::int32_t from = *rc::gen::inRange(0, 3);
  std::vector<std::uint32_t> items =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 4U)));
  void apply(Model&) const override {}
  void run(const Model& model, Real& real) const override {
    std::vector<Pmid> pmids;
    std::string expected;
    for (const std::uint32_t item : items) {
      pmids.push_back(Pmid::Of(kDomain, 0, item));
      std::string values;
      if (item == 2) values = " -1:" + Hex(7);
      if (item < 2) {
        for (const auto& [number, name] : model.Instances(item)) {
          if (!model.Includes(item, number)) continue;
          values += " " + std::to_string(number) + ":" + Hex(number * 10);
        }
      }
      expected += expected.empty() ? "{401.0." : " {401.0.";
      expected += std::to_string(item);
      expected += item == 3 ? " -12358}" : values.empty() ? " 0}" : " insitu" + values + "}";
    }
    RC_ASSERT(real.talk->Ask(pdu::Fetch{context, pmids}, from) ==
              "RESULT from=0 seconds=0 microseconds=0 sets=[" + expected + "]");
  }
  void show(std::ostream& os) const override { os << "FETCH of " << items.size(); }
};

struct AskInstances : Command {
  std::uint32_t serial = *rc::gen::inRange(0U, 3U);
  std::int32_t form = *rc::gen::inRange(0, 3);
  std::int32_t number = *rc::gen::inRange(-3, 6);
  std::string name = *rc::gen::element<std::string>("one", "three", "three four", "thr", "three ",
                                                    "four", "five", "ONE");
  void apply(Model&) const override {}
  void run(const Model& model, Real& real) const override {
    const Indom indom = Indom::Of(kDomain, serial);
    const bool by_number = form == 1 && number != -1;
    pdu::InstanceReq request{indom};
    if (by_number) request.instance = number;
    if (form == 2) request.name = name;
    RC_ASSERT(real.talk->Ask(request) == Expected(model, by_number));
  }
  std::string Expected(const Model& model, bool by_number) const {  // PDU-062, PMD-087, PMD-088
    if (serial == 2) return "ERROR from=0 code=-12359";
    std::string list;
    for (const auto& [instance, full] : model.Instances(serial)) {
      std::string entry;
      if (form == 2) {
        const std::string first = full.substr(0, full.find(' '));
        if (name == full || name == first) entry = std::to_string(instance) + ":''";
      } else if (by_number) {
        if (number == instance) entry = "-1:'" + full + "'";
      } else {
        entry = std::to_string(instance) + ":'" + full + "'";
      }
      if (!entry.empty()) list += (list.empty() ? "" : " ") + entry;
    }
    if (list.empty() && (form == 2 || by_number)) return "ERROR from=0 code=-12360";
    return "INSTANCE from=0 indom=401." + std::to_string(serial) + " instances=[" + list + "]";
  }
  void show(std::ostream& os) const override {
    os << "INSTANCE_REQ " << serial << " form " << form;
  }
};

struct AskLabels : Command {  // PMD-092
  std::uint32_t serial = AnySerial();
  void apply(Model&) const override {}
  void run(const Model& model, Real& real) const override {
    std::string sets;
    for (const auto& [number, name] : model.Instances(serial)) {
      if (!model.Includes(serial, number)) continue;
      sets += (sets.empty() ? "{" : " {") + std::to_string(number) + " '' []}";
    }
    const Indom indom = Indom::Of(kDomain, serial);
    const std::string answer = real.talk->Ask(pdu::LabelReq{indom.value, 32});
    RC_ASSERT(answer.substr(answer.find("sets=")) == "sets=[" + sets + "]");
  }
  void show(std::ostream& os) const override { os << "LABEL_REQ " << serial; }
};

RC_GTEST_PROP(AgentProperty, AnswersAsTheModelSays, ()) {  // PMD-023, PMD-025, T19, CKA-061..069
  Real real;
  rc::state::check(
      Model(), real,
      rc::state::gen::execOneOfWithArgs<SayProfile, SayBrokenProfile, SayNothingOfInterest, Appear,
                                        Appear, Leave, AskFetch, AskFetch, AskInstances,
                                        AskLabels>());
}

RC_GTEST_PROP(ActiveProfileProperty, IncludesWhatTheProfileIncludes, ()) {  // PMD-025
  pdu::PduStorage storage;
  const auto profile =
      std::get<pdu::Profile>(pdu::ArbitraryPdu(pdu::PduType::kProfile, &storage).body);
  ActiveProfile active;
  active.Assign(profile);
  std::vector<Indom> indoms = {Indom::Of(1, 1)};
  std::vector<std::int32_t> instances = {0, 1, 2};
  for (const pdu::ProfileEntry& entry : profile.entries) {
    indoms.push_back(entry.indom);
    instances.insert(instances.end(), entry.instances.begin(), entry.instances.end());
  }
  for (const Indom indom : indoms) {
    const ActiveProfile::Selection wanted = active.For(indom);
    for (const std::int32_t instance : instances) {
      RC_ASSERT(wanted.Includes(instance) == profile.Includes(indom, instance));
    }
  }
}

// Any PDU there can be, with one word of it replaced: one answer where one is due, silence
// elsewhere, and the agent lives (10.2, PMD-047, CKA-155).
RC_GTEST_PROP(AgentProperty, AnswersOnceOrNotAtAll, ()) {
  Real real;
  pdu::PduStorage storage;
  const auto type =
      *rc::gen::elementOf(std::vector<pdu::PduType>(pdu::kPduTypes.begin(), pdu::kPduTypes.end()));
  pdu::Buffer bytes;
  RC_PRE(pdu::Encode(pdu::ArbitraryPdu(type, &storage), &bytes).has_value());
  if (bytes.size() > 12) {
    const std::size_t word = *rc::gen::inRange(std::size_t{3}, (bytes.size() + 3) / 4);
    const auto value =
        *rc::gen::element(0U, 1U, 0xffffffffU, 0x7fffffffU, 0x80000000U, 0x64400000U);
    if (word * 4 + 4 <= bytes.size()) StoreU32(bytes.data() + word * 4, value);
  }
  const pdu::Buffer answer = real.talk->Answer(bytes);
  if (!pdu::AgentAnswers(type)) {
    RC_ASSERT(answer.empty());
  } else {
    RC_ASSERT(answer.size() >= pdu::kHeaderSize);
    RC_ASSERT(static_cast<std::size_t>(pdu::LoadHeader(answer).length) == answer.size());
    RC_ASSERT(pdu::Decoder().Decode(answer).has_value());
  }
  RC_ASSERT(real.talk->Ask(pdu::DescReq{Pmid::Of(kDomain, 0, 2)}).starts_with("DESC "));
}

}  // namespace
}  // namespace pmproof::pmda
