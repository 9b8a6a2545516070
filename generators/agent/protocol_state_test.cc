// SPDX-License-Identifier: Apache-2.0
// The protocol as a state machine: whatever a collector says in whatever order, an agent of the
// runtime answers each request that expects an answer exactly once, nothing else at all, and after
// the state that model and requests give (chapters 7, 8, 10).

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/agent/arbitrary_agent.h"
#include "generators/agent/memory_agent.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;
using pmda::Deadline;

// A profile by its meaning (PMD-025), not by the codec's.
struct Entry {
  Indom indom{};
  std::int32_t state = 0;
  std::vector<std::int32_t> instances{};
};
struct ProfileState {
  std::int32_t state = 0;
  std::vector<Entry> entries{};

  bool Includes(Indom indom, std::int32_t instance) const {
    for (const Entry& entry : entries) {
      if (entry.indom != indom) continue;
      const bool listed = std::ranges::find(entry.instances, instance) != entry.instances.end();
      return listed == (entry.state != 0);
    }
    return state == 0;
  }
};

// What is known of the agent after what was said so far.
struct Known {
  std::shared_ptr<const AgentModel> agent;
  bool connected = false;
  ProfileState profile{};
  std::map<Pmid, std::uint32_t> stored{};  // singular writable U32
};

// The collector's end.
class Collector {
 public:
  explicit Collector(const AgentModel& model) : agent_(model, nullptr) {
    const std::vector<Buffer> creds = Receive();
    RC_ASSERT(creds.size() == 1U);
    RC_ASSERT(pdu::LoadHeader(creds[0]).type == PduType::kCreds);
  }

  // All that comes of it. `split`: sent in two pieces, and the agent works in between.
  std::vector<Buffer> Say(Bytes bytes, std::size_t split = 0) {
    split = std::min(split, bytes.size());
    Write(bytes.first(split));
    while (agent_.Work()) continue;
    Write(bytes.subspan(split));
    return Receive();
  }
  std::vector<Buffer> Say(const pdu::Body& body, std::int32_t from = 0, std::size_t split = 0) {
    Buffer bytes;
    RC_ASSERT(pdu::Encode({from, body}, &bytes).has_value());
    return Say(Bytes(bytes), split);
  }

  std::optional<int> ended() const { return agent_.ended(); }

 private:
  void Write(Bytes bytes) {
    RC_ASSERT(WriteAll(agent_.transport(), bytes, Deadline::Never()).moved());
  }

  std::vector<Buffer> Receive() {
    std::vector<Buffer> pdus;
    while (true) {
      const auto frame = frames_.Next();
      RC_ASSERT(frame.has_value());
      if (*frame) {
        pdus.emplace_back((*frame)->begin(), (*frame)->end());
        continue;
      }
      const auto read = agent_.transport().Read(frames_.Space(), Deadline::Never());
      frames_.Commit(read.size);
      if (!read.moved()) return pdus;
    }
  }

  MemoryAgent agent_;
  pdu::FrameReader frames_{};
};

using Step = rc::state::Command<Known, Collector>;

// The only answer, decoded; it holds as long as the decoder and the bytes.
struct OneAnswer {
  explicit OneAnswer(std::vector<Buffer> pdus) : all(std::move(pdus)) {
    RC_ASSERT(all.size() == 1U);
    auto decoded = decoder.Decode(all[0]);
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(decoded->from == 0);
    pdu = *decoded;
  }
  template <typename T>
  const T& As() const {
    RC_ASSERT(std::holds_alternative<T>(pdu.body));
    return std::get<T>(pdu.body);
  }

  std::vector<Buffer> all;
  pdu::Decoder decoder;
  pdu::Pdu pdu;
};

template <typename T>
const T* AnyOf(const std::vector<T>& all) {
  return all.empty() ? nullptr : &all[*rc::gen::inRange<std::size_t>(0, all.size())];
}
const MetricModel* AnyMetric(const Known& known) { return AnyOf(known.agent->metrics); }
std::size_t AnySplit() { return *rc::gen::element<std::size_t>(0, 0, 0, 1, 5, 12, 17, 30); }

struct Connect : Step {
  std::uint8_t version = *rc::gen::element<std::uint8_t>(2, 2, 1, 3);

  void checkPreconditions(const Known& known) const override { RC_PRE(!known.connected); }
  void apply(Known& known) const override { known.connected = true; }
  void run(const Known&, Collector& agent) const override {
    const auto credential = pdu::Credential::Version(version, 0);
    RC_ASSERT(agent.Say(pdu::Creds{std::span(&credential, 1)}).empty());
  }
  void show(std::ostream& out) const override { out << "CREDS " << int{version}; }
};

struct Connected : Step {
  void checkPreconditions(const Known& known) const override { RC_PRE(known.connected); }
};

struct SetProfile : Connected {
  explicit SetProfile(const Known& known) {
    profile.state = *rc::gen::element(0, 0, 1, 7);
    const int count = *rc::gen::inRange(0, 4);
    for (int i = 0; i < count; ++i) {
      Entry& entry = profile.entries.emplace_back();
      entry.state = *rc::gen::element(0, 1, 1, 5);
      entry.indom = Indom::Of(known.agent->domain, *rc::gen::inRange(0U, 200U));
      const IndomModel* indom = AnyOf(known.agent->indoms);
      if (indom == nullptr || *rc::gen::inRange(0, 4) == 0) continue;
      entry.indom = Indom::Of(known.agent->domain, indom->serial);
      for (const InstanceModel& instance : indom->instances) {
        if (*rc::gen::arbitrary<bool>()) entry.instances.push_back(instance.number);
      }
    }
  }
  void apply(Known& known) const override { known.profile = profile; }
  void run(const Known&, Collector& agent) const override {
    std::vector<pdu::ProfileEntry> entries;
    for (const Entry& entry : profile.entries) {
      entries.push_back({entry.indom, entry.state, std::span(entry.instances)});
    }
    RC_ASSERT(agent.Say(pdu::Profile{context, profile.state, entries}, from, split).empty());
  }
  void show(std::ostream& out) const override {
    out << "PROFILE context " << context << " from " << from << " state " << profile.state;
    for (const Entry& entry : profile.entries) {
      out << "; " << ToText(entry.indom) << " " << entry.state << " [";
      for (const std::int32_t instance : entry.instances) out << " " << instance;
      out << " ]";
    }
  }

  std::int32_t context = *rc::gen::inRange(0, 3);
  std::int32_t from = *rc::gen::inRange(0, 3);
  std::size_t split = AnySplit();
  ProfileState profile;
};

struct FetchStep : Connected {
  explicit FetchStep(const Known& known) {
    const int count = *rc::gen::inRange(1, 6);
    for (int i = 0; i < count; ++i) {
      const MetricModel* metric = AnyMetric(known);
      pmids.push_back(metric == nullptr || *rc::gen::inRange(0, 8) == 0
                          ? Pmid{*rc::gen::arbitrary<std::uint32_t>()}
                          : metric->pmid(known.agent->domain));
    }
  }
  void run(const Known& known, Collector& agent) const override {
    const OneAnswer answer(agent.Say(pdu::Fetch{context, pmids}, from, split));
    const auto& result = answer.As<pdu::Result>();
    RC_ASSERT(result.seconds == 0);
    RC_ASSERT(result.microseconds == 0);
    RC_ASSERT(result.sets.size() == pmids.size());
    for (std::size_t i = 0; i < pmids.size(); ++i) Judge(known, pmids[i], result.sets[i]);
  }
  static void Judge(const Known& known, Pmid pmid, const pdu::ValueSet& set) {
    RC_ASSERT(set.pmid == pmid);
    const MetricModel* metric = known.agent->FindMetric(pmid);
    if (metric == nullptr) {
      RC_ASSERT(set.status == ErrorCode::kPmid);
      return;
    }
    std::vector<std::int32_t> due;
    if (metric->has_value() && !metric->indom) due.push_back(kInstanceNull);
    if (metric->has_value() && metric->indom) {
      const Indom indom = Indom::Of(known.agent->domain, *metric->indom);
      for (const auto& instance : known.agent->FindIndom(*metric->indom)->instances) {
        if (known.profile.Includes(indom, instance.number)) due.push_back(instance.number);
      }
    }
    std::vector<std::int32_t> got;
    for (const pdu::InstanceValue& value : set.values) {
      got.push_back(value.instance);
      RC_ASSERT(pdu::ValueOf(value, set.format, metric->type).has_value());
    }
    RC_ASSERT(got == due);
    if (const auto stored = known.stored.find(pmid); stored != known.stored.end()) {
      RC_ASSERT(set.values[0].word == stored->second);
    }
  }
  void show(std::ostream& out) const override {
    out << "FETCH from " << from;
    for (const Pmid pmid : pmids) out << " " << ToText(pmid);
  }

  std::int32_t context = *rc::gen::inRange(-1, 3);
  std::int32_t from = *rc::gen::inRange(0, 3);
  std::size_t split = AnySplit();
  std::vector<Pmid> pmids;
};

struct Describe : Connected {
  explicit Describe(const Known& known) {
    const MetricModel* metric = AnyMetric(known);
    const bool unknown = metric == nullptr || *rc::gen::inRange(0, 4) == 0;
    pmid = unknown ? Pmid{*rc::gen::arbitrary<std::uint32_t>()} : metric->pmid(known.agent->domain);
  }
  void run(const Known& known, Collector& agent) const override {
    const OneAnswer answer(agent.Say(pdu::DescReq{pmid}, 0, split));
    const MetricModel* metric = known.agent->FindMetric(pmid);
    if (metric == nullptr) {
      RC_ASSERT(answer.As<pdu::Error>().code == ErrorCode::kPmid);
      return;
    }
    const Descriptor& descriptor = answer.As<pdu::Desc>().descriptor;
    RC_ASSERT(descriptor.pmid == pmid);
    RC_ASSERT(descriptor.type == metric->type);
    RC_ASSERT(descriptor.indom ==
              (metric->indom ? Indom::Of(known.agent->domain, *metric->indom) : Indom::Null()));
  }
  void show(std::ostream& out) const override { out << "DESC_REQ " << ToText(pmid); }

  std::size_t split = AnySplit();
  Pmid pmid;
};

struct Instances : Connected {
  explicit Instances(const Known& known) {
    const IndomModel* indom = AnyOf(known.agent->indoms);
    if (indom != nullptr && *rc::gen::inRange(0, 4) != 0) serial = indom->serial;
  }
  void run(const Known& known, Collector& agent) const override {
    const Indom indom = Indom::Of(known.agent->domain, serial);
    const OneAnswer answer(agent.Say(pdu::InstanceReq{.indom = indom}));
    const IndomModel* model = known.agent->FindIndom(serial);
    if (model == nullptr) {
      RC_ASSERT(answer.As<pdu::Error>().code == ErrorCode::kIndom);
      return;
    }
    const auto& list = answer.As<pdu::Instance>().instances;  // whatever the profile (PMD-026)
    RC_ASSERT(list.size() == model->instances.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      RC_ASSERT(list[i].instance == model->instances[i].number);
      RC_ASSERT(list[i].name == model->instances[i].name);
    }
  }
  void show(std::ostream& out) const override { out << "INSTANCE_REQ " << serial; }

  std::uint32_t serial = *rc::gen::inRange(0U, 400U);
};

struct Store : Connected {
  explicit Store(const Known& known) {
    const MetricModel* metric = AnyMetric(known);
    if (metric != nullptr) pmid = metric->pmid(known.agent->domain);
  }
  bool Succeeds(const Known& known) const {
    const MetricModel* metric = known.agent->FindMetric(pmid);
    return metric != nullptr && metric->writable && metric->type == MetricType::kU32 &&
           !metric->indom;
  }
  void apply(Known& known) const override {
    if (Succeeds(known)) known.stored[pmid] = value;
  }
  void run(const Known& known, Collector& agent) const override {
    const pdu::InstanceValue one{.instance = kInstanceNull, .word = value};
    const pdu::ValueSet set{.pmid = pmid, .values = std::span(&one, 1)};
    const OneAnswer answer(agent.Say(pdu::Result{seconds, 5, std::span(&set, 1)}));
    const auto code = static_cast<std::int32_t>(answer.As<pdu::Error>().code);
    const MetricModel* metric = known.agent->FindMetric(pmid);
    if (Succeeds(known)) RC_ASSERT(code == 0);
    if (metric == nullptr || !metric->writable) RC_ASSERT(code < 0);
  }
  void show(std::ostream& out) const override { out << "store " << value << " " << ToText(pmid); }

  Pmid pmid = Pmid{*rc::gen::arbitrary<std::uint32_t>()};
  std::uint32_t value = *rc::gen::arbitrary<std::uint32_t>();
  std::int32_t seconds = *rc::gen::arbitrary<std::int32_t>();
};

// Whatever gets no answer, and changes nothing (10.2).
struct Stray : Connected {
  void run(const Known&, Collector& agent) const override {
    Buffer bytes(12);
    StoreU32(bytes.data() + 4, type);
    StoreU32(bytes.data() + 8, static_cast<std::uint32_t>(from));
    for (const std::uint32_t word : words) {
      bytes.resize(bytes.size() + 4);
      StoreU32(bytes.data() + bytes.size() - 4, word);
    }
    StoreU32(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
    RC_ASSERT(agent.Say(Bytes(bytes)).empty());
    RC_ASSERT(!agent.ended().has_value());
  }
  void show(std::ostream& out) const override {
    out << "stray type " << std::hex << type << std::dec << " with " << words.size() << " words";
  }

  // ERROR, CREDS, ATTR, those of clients, those of agents, and unknown ones. A PROFILE only as one
  // that is malformed.
  std::uint32_t type =
      *rc::gen::element(0x7000U, 0x7002U, 0x7005U, 0x7007U, 0x7009U, 0x700aU, 0x700bU, 0x700cU,
                        0x7011U, 0x7013U, 0x7014U, 0x7015U, 0x7016U, 0x7017U, 0x7018U, 0x7fffU, 1U);
  std::int32_t from = *rc::gen::inRange(-1, 5);
  std::vector<std::uint32_t> words = AnyWords();

  std::vector<std::uint32_t> AnyWords() const {
    auto any = *rc::gen::resize(6, rc::gen::container<std::vector<std::uint32_t>>(
                                       rc::gen::element(0U, 1U, 0xffffffffU, 0x80000000U, 77U)));
    if (type == 0x7002) any = {0, 0, 5, 0};  // five entries, none there
    return any;
  }
};

// A request that is malformed gets one ERROR, and changes nothing.
struct Malformed : Connected {
  void run(const Known&, Collector& agent) const override {
    Buffer bytes(12);
    StoreU32(bytes.data(), 12);
    StoreU32(bytes.data() + 4, type);
    const OneAnswer answer(agent.Say(Bytes(bytes)));
    RC_ASSERT(answer.As<pdu::Error>().code == pdu::kErrIpc);
  }
  void show(std::ostream& out) const override {
    out << "malformed type " << std::hex << type << std::dec;
  }

  std::uint32_t type = *rc::gen::element(0x7001U, 0x7003U, 0x7004U, 0x7006U, 0x7008U, 0x700dU,
                                         0x700eU, 0x700fU, 0x7010U, 0x7012U);
};

// Its domains do not change: what is due is told by the state alone. Agents whose domains do are
// sound_agents_test's.
AgentModel Steady(AgentModel model) {
  for (IndomModel& indom : model.indoms) {
    indom.filled_by_fetch = false;
    indom.turns_by_request = false;
    for (InstanceModel& instance : indom.instances) instance.turns = Turns::kAll;
  }
  return model;
}

RC_GTEST_PROP(Protocol, EveryRequestHasItsAnswerInEveryState, ()) {
  Known known;
  known.agent = std::make_shared<const AgentModel>(Steady(*AnyAgent()));
  Collector agent(*known.agent);
  rc::state::check(
      known, agent,
      rc::state::gen::execOneOfWithArgs<Connect, SetProfile, SetProfile, FetchStep, FetchStep,
                                        FetchStep, Describe, Instances, Store, Stray, Malformed>());
}

}  // namespace
}  // namespace pmproof::generators
