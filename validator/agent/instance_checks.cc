// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "reference/core/printable.h"
#include "validator/agent/asking.h"
#include "validator/agent/check.h"
#include "validator/agent/offence_walk.h"

// 16.4, what is asked with INSTANCE_REQ.

namespace pmproof::validator::agent {
namespace {

using List = std::vector<KnownInstance>;

constexpr const char* kNone = "no instance domain of the agent has instances";

// The indoms of the agent, filled as far as a fetch fills them, or why there is nothing to check.
VerdictOr<std::vector<Indom>> Indoms(Bench& bench, Session& session) {
  const Knowledge& knowledge = bench.knowledge();
  if (const auto any = knowledge.AnyMetric(); !any) return tl::make_unexpected(any.error());
  std::vector<Indom> indoms;
  for (const auto& [indom, instances] : knowledge.instances) indoms.push_back(indom);
  if (indoms.empty()) return Unchecked("no metric of the agent has an instance domain");
  if (const auto filled = FillInstanceDomains(bench, session); !filled) {
    return tl::make_unexpected(filled.error());
  }
  return indoms;
}

// Calls use(text) with what is wrong with each instance of a list (PDU-033, PDU-064), as long as
// that returns true.
template <typename Use>
void EachWrong(Indom indom, const List& instances, Use&& use) {
  std::set<std::int32_t> numbers;
  std::map<std::string_view, const KnownInstance*> words;
  const auto fault = [&](const KnownInstance& instance) -> std::string {
    if (instance.number < 0) return "its number is negative";
    if (instance.name.empty()) return "its name is empty";
    if (instance.name.find('\0') != std::string::npos) return "there is a NUL in its name";
    if (!numbers.insert(instance.number).second) return "another has its number";
    const auto [known, fresh] = words.emplace(FirstWord(instance.name), &instance);
    if (fresh) return "";
    if (known->second->name == instance.name) return "another has its name";
    return "it begins with the same word as " + InstanceText(indom, *known->second);
  };
  for (const KnownInstance& instance : instances) {
    const std::string wrong = fault(instance);
    if (!wrong.empty() && !use(InstanceText(indom, instance) + ": " + wrong)) return;
  }
}

bool IsWrong(Indom indom, const List& instances) {
  bool wrong = false;
  EachWrong(indom, instances, [&](const std::string&) { return !(wrong = true); });
  return wrong;
}

// CKA-080
Verdict InstancesAreWellFormed(Bench& bench, Session& session) {
  const auto indoms = Indoms(bench, session);
  if (!indoms) return indoms.error();
  bool looked = false;
  OffenceWalk offences(bench, session);
  for (const Indom indom : *indoms) {
    const auto instances = Instances(session, indom);
    if (!instances) {
      if (offences.GoOn(instances.error())) continue;
      break;
    }
    looked |= !instances->empty();
    EachWrong(indom, *instances, [&](std::string wrong) {
      offences.Note(std::move(wrong));
      return true;
    });
  }
  return offences.Or(looked ? Verdict::Pass() : Verdict::NotChecked(kNone));
}

// What a question about one instance showed.
struct Look {
  std::string wrong{};
  std::string remark{};  // not wrong enough to fail for
};

// Whether an instance is among all, in the last of so many lists: a domain that changes with every
// request is in another state each time.
VerdictOr<bool> IsThere(Session& session, Indom indom, const KnownInstance& instance, int lists) {
  bool there = false;
  for (int i = 0; i < lists; ++i) {
    const auto now = InstancesAtAll(session, indom);
    if (!now) return tl::make_unexpected(now.error());
    there = std::ranges::any_of(*now, [&](const KnownInstance& one) {
      return one.number == instance.number && one.name == instance.name;
    });
  }
  return there;
}

// Asks about every instance that can be told from the others (those that cannot are CKA-080's). An
// instance that is wrong is looked for again: it may have gone, or changed its number, meanwhile.
// NotChecked with `nothing` where `suits` takes none.
template <typename Suits, typename Ask>
Verdict ForEachInstance(OffenceWalk& offences, Bench& bench, Session& session, Suits&& suits,
                        Ask&& ask, const std::string& nothing = kNone) {
  constexpr std::size_t kMost = 5000;  // of a domain
  constexpr int kAgain = 3;
  const auto indoms = Indoms(bench, session);
  if (!indoms) return indoms.error();
  std::size_t looked = 0;
  std::string remark;
  for (const Indom indom : *indoms) {
    const auto instances = InstancesAtAll(session, indom);
    if (!instances) return offences.Or(instances.error());
    std::map<std::string_view, int> words;
    std::map<std::int32_t, int> numbers;
    for (const KnownInstance& instance : *instances) {
      ++words[FirstWord(instance.name)];
      ++numbers[instance.number];
    }
    std::size_t asked = 0;
    for (const KnownInstance& instance : *instances) {
      const std::string_view word = FirstWord(instance.name);
      if (instance.number < 0 || word.empty() || words[word] > 1 || numbers[instance.number] > 1 ||
          instance.name.find('\0') != std::string::npos || !suits(instance)) {
        continue;
      }
      if (++asked > kMost) {
        remark = "only " + std::to_string(kMost) + " instances of " + ToText(indom) +
                 " were asked about";
        break;
      }
      ++looked;
      VerdictOr<Look> look = ask(indom, instance);
      for (int again = 1; look && !look->wrong.empty() && again <= kAgain; ++again) {
        const auto there = IsThere(session, indom, instance, again);
        if (!there) return offences.Or(there.error());
        look = *there ? ask(indom, instance) : VerdictOr<Look>(Look{});
      }
      const Verdict wrong = look ? Verdict::Fail(look->wrong) : look.error();
      if ((!look || !look->wrong.empty()) && !offences.GoOn(wrong)) return offences.Or(wrong);
      if (look && remark.empty()) remark = look->remark;
    }
  }
  return offences.Or(looked > 0 ? Verdict::Pass(remark) : Verdict::NotChecked(nothing));
}

template <typename Suits, typename Ask>
Verdict ForEachInstance(Bench& bench, Session& session, Suits&& suits, Ask&& ask,
                        const std::string& nothing = kNone) {
  OffenceWalk offences(bench, session);
  return ForEachInstance(offences, bench, session, suits, ask, nothing);
}

bool Any(const KnownInstance&) { return true; }

// The one entry of the answer, or what is wrong.
VerdictOr<std::pair<KnownInstance, std::string>> AskForOne(Session& session,
                                                           const pdu::InstanceReq& request) {
  const Answer answer = session.Ask(request);
  const auto* const instances = answer.As<pdu::Instance>();
  if (instances == nullptr) {
    const std::string wrong = Session::Unexpected(request, answer, pdu::PduType::kInstance);
    // An instance that has gone is answered with an ERROR; nothing else is worth another question.
    if (answer.As<pdu::Error>() == nullptr) return Failed(wrong);
    return std::pair(KnownInstance{}, wrong);
  }
  if (instances->instances.size() != 1) {
    return std::pair(KnownInstance{}, Brief(request) + ": " +
                                          std::to_string(instances->instances.size()) +
                                          " instances, where 1 is due");
  }
  const pdu::InstanceEntry& entry = instances->instances[0];
  return std::pair(KnownInstance{entry.instance, std::string(entry.name)}, std::string());
}

// CKA-081
Verdict InstancesByNumber(Bench& bench, Session& session) {
  return ForEachInstance(
      bench, session, Any, [&](Indom indom, const KnownInstance& instance) -> VerdictOr<Look> {
        const auto one = AskForOne(session, {.indom = indom, .instance = instance.number});
        if (!one) return tl::make_unexpected(one.error());
        if (!one->second.empty()) return Look{.wrong = one->second};
        if (one->first.name != instance.name) {
          return Look{.wrong = InstanceText(indom, instance) + ": asked for by its number, it is " +
                               InstanceText(indom, one->first)};
        }
        if (one->first.number == kInstanceNull) return Look{};
        return Look{.remark = InstanceText(indom, instance) +
                              ": asked for by its number, the answer has inst " +
                              std::to_string(one->first.number) + ", where -1 is due (PDU-062)"};
      });
}

// The answer to a question by name, which is `asked`.
VerdictOr<Look> AskByName(Session& session, Indom indom, const KnownInstance& instance,
                          std::string_view asked) {
  const auto one = AskForOne(session, {.indom = indom, .name = asked});
  if (!one) return tl::make_unexpected(one.error());
  if (!one->second.empty()) return Look{.wrong = one->second};
  if (one->first.number != instance.number) {
    return Look{.wrong = InstanceText(indom, instance) + ": asked for as \"" + std::string(asked) +
                         "\", its number is " + std::to_string(one->first.number)};
  }
  if (one->first.name.empty()) return Look{};
  return Look{.remark = InstanceText(indom, instance) +
                        ": asked for by its name, the answer has a name of " +
                        std::to_string(one->first.name.size()) +
                        " bytes, where namelen 0 is due (PDU-062)"};
}

// CKA-082
Verdict InstancesByName(Bench& bench, Session& session) {
  return ForEachInstance(bench, session, Any, [&](Indom indom, const KnownInstance& instance) {
    return AskByName(session, indom, instance, instance.name);
  });
}

// CKA-083
Verdict InstancesByFirstWord(Bench& bench, Session& session) {
  return ForEachInstance(
      bench, session,
      [](const KnownInstance& instance) { return instance.name.find(' ') != std::string::npos; },
      [&](Indom indom, const KnownInstance& instance) {
        return AskByName(session, indom, instance, FirstWord(instance.name));
      },
      "no instance of the agent has a name with a space");
}

// Names that none of these instances answers to: another word; a beginning of a name; a name in
// the other case; the second word of a name (PMD-088).
std::vector<std::string> UnknownNames(const List& instances) {
  std::set<std::string, std::less<>> known;
  for (const KnownInstance& instance : instances) {
    known.insert(instance.name);
    known.insert(std::string(FirstWord(instance.name)));
  }
  std::vector<std::string> tried = {"pmproof_no_such_instance"};
  for (const KnownInstance& instance : instances) {
    const std::string& name = instance.name;
    if (name.size() < 2 || name.find('\0') != std::string::npos) continue;
    tried.push_back(name.substr(0, name.size() - 1));
    std::string other = name;
    for (char& c : other) {
      const auto byte = static_cast<unsigned char>(c);
      c = static_cast<char>(std::isupper(byte) != 0 ? std::tolower(byte) : std::toupper(byte));
    }
    tried.push_back(other);
    if (const std::size_t space = name.find(' '); space != std::string::npos) {
      tried.push_back(name.substr(space + 1));
    }
    break;
  }
  std::erase_if(tried,
                [&](const std::string& name) { return name.empty() || known.contains(name); });
  return tried;
}

// CKA-084
Verdict UnknownInstancesAreErrors(Bench& bench, Session& session) {
  const auto indoms = Indoms(bench, session);
  if (!indoms) return indoms.error();
  OffenceWalk offences(bench, session);
  for (const Indom indom : *indoms) {
    const auto instances = InstancesAtAll(session, indom);
    if (!instances) return offences.Or(instances.error());
    std::vector<pdu::InstanceReq> requests;
    for (const std::int32_t number : {UnusedInstance(*instances), -5}) {
      requests.push_back({.indom = indom, .instance = number});
    }
    const std::vector<std::string> names = UnknownNames(*instances);
    for (const std::string& name : names) requests.push_back({.indom = indom, .name = name});
    if (!instances->empty() && !instances->front().name.empty()) {
      const KnownInstance& one = instances->front();
      requests.push_back({.indom = indom, .instance = one.number, .name = one.name});
    }
    for (const pdu::InstanceReq& request : requests) {
      const Verdict verdict = session.ExpectError(request, ErrorCode::kInstance);
      if (!verdict.passed() && !offences.GoOn(verdict)) return offences.Or(verdict);
    }
  }
  return offences.Or(Verdict::Pass());
}

// CKA-085
Verdict UnknownIndomIsAnError(Bench& bench, Session& session) {
  const auto indom = bench.knowledge().UnusedIndom();
  if (!indom) return indom.error();
  return session.ExpectError(pdu::InstanceReq{.indom = *indom}, ErrorCode::kIndom);
}

// What the instances of one domain were called while it was watched.
class Watch {
 public:
  // Empty, or what is wrong with the instances of this round.
  std::string Wrong(Indom indom, const List& instances) {
    ++round_;
    for (const KnownInstance& instance : instances) {
      const auto [seen, fresh] = seen_.emplace(instance.name, Seen{instance.number, round_});
      if (fresh) continue;
      const bool back = seen->second.round + 1 < round_;
      if (seen->second.number != instance.number) {
        return InstanceText(indom, instance) + ": its number was " +
               std::to_string(seen->second.number) +
               (back ? " before it left and came back" : " a moment before");
      }
      returned_ |= back;
      seen->second.round = round_;
    }
    return "";
  }
  bool returned() const { return returned_; }

 private:
  struct Seen {
    std::int32_t number = 0;
    int round = 0;
  };
  std::map<std::string, Seen> seen_{};
  int round_ = 0;
  bool returned_ = false;
};

// CKA-086
Verdict ReturningInstancesKeepTheirNumber(Bench& bench, Session& session) {
  constexpr int kRounds = 20;
  constexpr std::size_t kMostInstances = 2000;  // of a domain that is watched
  const auto indoms = Indoms(bench, session);
  if (!indoms) return indoms.error();
  std::map<Indom, Watch> watches;
  OffenceWalk offences(bench, session);
  for (int round = 0; round < kRounds; ++round) {
    for (const Indom indom : *indoms) {
      const auto instances = InstancesAtAll(session, indom);
      if (!instances) return offences.Or(instances.error());
      // Names that are shared have several numbers: that is CKA-080's.
      if (instances->size() > kMostInstances || IsWrong(indom, *instances)) continue;
      const std::string wrong = watches[indom].Wrong(indom, *instances);
      if (!wrong.empty()) offences.Note(wrong);
    }
    // More fetches in one round than in the next: instances that take turns are seen to come and
    // go.
    for (int fetch = 0; fetch <= round % 3; ++fetch) {
      if (const auto filled = FillInstanceDomains(bench, session); !filled) {
        return offences.Or(filled.error());
      }
    }
  }
  if (offences.any()) return offences.Or(Verdict::Pass());
  for (const auto& [indom, watch] : watches) {
    if (watch.returned()) return Verdict::Pass();
  }
  return Verdict::NotChecked("no instance left and came back while the agent was watched, for " +
                             std::to_string(kRounds) + " fetches");
}

// Empty, or what an INSTANCE about one instance repeats wrongly. It repeats nothing but the domain
// (PDU-062); what it repeats all the same must be right.
std::string WrongEcho(const pdu::InstanceReq& request, const Answer& answer) {
  constexpr std::size_t kLongestName = 60;
  const auto* const instances = answer.As<pdu::Instance>();
  if (instances == nullptr || instances->instances.size() != 1) return "";  // CKA-081, CKA-082
  const std::string what = Brief(request) + ": the answer has ";
  if (instances->indom != request.indom) return what + "indom " + ToText(instances->indom);
  const pdu::InstanceEntry& entry = instances->instances[0];
  if (request.name.empty()) {
    if (entry.instance == kInstanceNull || entry.instance == request.instance) return "";
    return what + "inst " + std::to_string(entry.instance) + ", where -1 is due";
  }
  if (entry.name.empty() || FirstWord(entry.name) == FirstWord(request.name)) return "";
  return what + "the name \"" + Printable(entry.name, kLongestName) + "\", where none is due";
}

// CKA-106
Verdict InstancesRepeatWhatWasAsked(Bench& bench, Session& session) {
  const auto indoms = Indoms(bench, session);
  if (!indoms) return indoms.error();
  OffenceWalk offences(bench, session);
  for (const Indom indom : *indoms) {
    const Answer all = session.Ask(pdu::InstanceReq{.indom = indom});
    const auto* const list = all.As<pdu::Instance>();
    if (list == nullptr || list->indom == indom) continue;
    offences.Note(Brief(pdu::InstanceReq{.indom = indom}) + ": the answer has indom " +
                  ToText(list->indom));
  }
  Verdict verdict;
  for (const bool by_name : {false, true}) {
    const auto look = [&](Indom indom, const KnownInstance& instance) -> VerdictOr<Look> {
      const pdu::InstanceReq request =
          by_name ? pdu::InstanceReq{.indom = indom, .name = instance.name}
                  : pdu::InstanceReq{.indom = indom, .instance = instance.number};
      const Answer answer = session.Ask(request);
      if (!answer.is_pdu()) {
        return LeftTo({by_name ? "CKA-082"_clause : "CKA-081"_clause},
                      Session::Unexpected(request, answer, pdu::PduType::kInstance));
      }
      if (std::string wrong = WrongEcho(request, answer); !wrong.empty()) {
        return Failed(std::move(wrong));
      }
      return Look{};
    };
    verdict = ForEachInstance(offences, bench, session, Any, look);
    if (!verdict.passed() && !(offences.any() && offences.InStep())) break;
  }
  return verdict;
}

constexpr Check kChecks[] = {
    {"CKA-080"_clause, InstancesAreWellFormed},
    {"CKA-081"_clause, InstancesByNumber},
    {"CKA-082"_clause, InstancesByName},
    {"CKA-083"_clause, InstancesByFirstWord},
    {"CKA-084"_clause, UnknownInstancesAreErrors},
    {"CKA-085"_clause, UnknownIndomIsAnError},
    {"CKA-086"_clause, ReturningInstancesKeepTheirNumber},
    {"CKA-106"_clause, InstancesRepeatWhatWasAsked},
};

}  // namespace

std::span<const Check> InstanceChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
