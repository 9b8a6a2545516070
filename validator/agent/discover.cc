// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "validator/agent/knowledge.h"
#include "validator/agent/life_signs.h"

namespace pmproof::validator::agent {
namespace {

constexpr std::size_t kMostMetrics = 20000;
constexpr std::size_t kMostFetched = 5000;
constexpr std::uint32_t kDomains = 511;  // 511 itself is reserved (PDU-032)

// The scan of PMIDs goes on while something was found so near.
constexpr std::uint32_t kItemGap = 64;
constexpr std::uint32_t kClusterGap = 16;
constexpr std::uint32_t kMostClusters = 4096;
constexpr std::uint32_t kMostItems = 1024;

// Words of a command that may be the name of an agent's root: "pmdasimple.python" -> "simple".
std::vector<std::string> GuessedRoots(const std::vector<std::string>& words) {
  std::vector<std::string> roots;
  for (const std::string& word : words) {
    std::string name = word.substr(word.rfind('/') + 1);
    name = name.substr(0, name.find('.'));
    if (name.starts_with("pmda")) name = name.substr(4);
    const bool letters = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
                         std::all_of(name.begin(), name.end(), [](unsigned char c) {
                           return std::isalnum(c) != 0 || c == '_';
                         });
    if (letters && std::find(roots.begin(), roots.end(), name) == roots.end()) {
      roots.push_back(name);
    }
  }
  return roots;
}

// How many names there are of each domain.
std::map<std::uint32_t, std::size_t> DomainsOf(const pmda::NameTree& names) {
  std::map<std::uint32_t, std::size_t> counts;
  const auto leaves = names.Traverse("");
  if (!leaves) return counts;
  for (const auto& leaf : *leaves) {
    ++counts[pmda::IsDynamicRoot(leaf.pmid) ? leaf.pmid.cluster() : leaf.pmid.domain()];
  }
  return counts;
}

// The lowest of those with the most names.
std::optional<std::uint32_t> MostFrequent(const std::map<std::uint32_t, std::size_t>& counts) {
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == counts.end()) return std::nullopt;
  return most->first;
}

// Asks an agent about itself. Where it dies of a question, another one is started for the next.
class Interview {
 public:
  Interview(const Subject& subject, Session met, LifeSigns* life_signs, ExchangeLog* log,
            Knowledge* knowledge)
      : subject_(subject), life_signs_(*life_signs), log_(log), knowledge_(*knowledge) {
    knowledge_.flags = met.flags();
    session_.emplace(std::move(met));
  }

  // Whether it answers anything at all. The error: it ended or said nothing when it was first asked
  // something, and so did others, whatever they were asked.
  VerdictOr<void> Lives() const {
    if (dead_) return tl::make_unexpected(*dead_);
    return {};
  }

  void NamesOfFile(const pmda::NameTree& tree, std::optional<std::uint32_t> domain) {
    const auto leaves = tree.Traverse("");
    if (!leaves) return;
    if (!domain) {
      const auto counts = DomainsOf(tree);
      domain = MostFrequent(counts);
      if (!domain) return;
      if (counts.size() > 1) {
        knowledge_.remarks.push_back("the names are of " + std::to_string(counts.size()) +
                                     " domains; taken is " + std::to_string(*domain) +
                                     " (see --domain)");
      }
    }
    SetDomain(*domain);
    for (const auto& leaf : *leaves) {
      if (pmda::IsDynamicRoot(leaf.pmid)) {
        if (leaf.pmid.cluster() == *domain) Traverse(leaf.name);
      } else if (leaf.pmid.domain() == *domain) {
        Add(leaf.name, leaf.pmid, /*dynamic=*/false);
      }
    }
    knowledge_.source = Knowledge::Source::kPmnsFile;
  }

  // True if the agent has names there.
  bool Traverse(const std::string& root) {
    const Answer answer = Ask(pdu::PmnsTraverse{.name = root});
    const auto* const names = answer.As<pdu::PmnsNames>();
    if (names == nullptr || names->names.empty()) return false;
    std::vector<std::string> all;
    for (const pdu::PmnsName& name : names->names) all.emplace_back(name.name);
    all.resize(std::min(all.size(), kMostMetrics));
    for (const std::string& name : all) {
      const pdu::PmnsName asked{.name = name};
      const Answer ids = Ask(pdu::PmnsNames{.names = std::span(&asked, 1)});
      const auto* const found = ids.As<pdu::PmnsIds>();
      if (found == nullptr || found->pmids.size() != 1 || found->pmids[0].IsNull()) continue;
      if (!knowledge_.domain_known) SetDomain(found->pmids[0].domain());
      Add(name, found->pmids[0], /*dynamic=*/true);
      knowledge_.names.push_back(name);
    }
    if (knowledge_.source == Knowledge::Source::kNothing) {
      knowledge_.source = Knowledge::Source::kTraverse;
    }
    if (knowledge_.root.empty()) knowledge_.root = root;
    return true;
  }

  // DESC_REQ of a few PMIDs of every domain.
  void FindDomain() {
    for (const auto& [cluster, item] :
         {std::pair(0U, 0U), std::pair(0U, 1U), std::pair(1U, 0U), std::pair(1U, 1U)}) {
      std::vector<Pmid> asked;
      for (std::uint32_t domain = 0; domain < kDomains; ++domain) {
        asked.push_back(Pmid::Of(domain, cluster, item));
      }
      for (const Descriptor& descriptor : Descriptors(asked)) {
        // The descriptor says it: some agents look at the rest of a PMID only (PMD-112).
        if (!knowledge_.domain_known) SetDomain(descriptor.pmid.domain());
      }
      if (knowledge_.domain_known) return;
    }
  }

  void Scan() {
    std::uint32_t barren = 0;
    for (std::uint32_t cluster = 0; cluster < kMostClusters && barren < kClusterGap; ++cluster) {
      std::uint32_t last_found = 0;
      bool found = false;
      for (std::uint32_t item = 0; item < std::min(last_found + kItemGap, kMostItems);
           item += kItemGap / 2) {
        std::vector<Pmid> asked;
        for (std::uint32_t i = item; i < item + kItemGap / 2; ++i) {
          asked.push_back(Pmid::Of(knowledge_.domain, cluster, i));
        }
        for (const Descriptor& descriptor : Descriptors(asked)) {
          last_found = std::max(last_found, descriptor.pmid.item());
          found = true;
          Add("", descriptor.pmid, /*dynamic=*/false);
        }
        if (!session_ || metrics_.size() > kMostMetrics) return;
      }
      barren = found ? 0 : barren + 1;
    }
    if (knowledge_.source == Knowledge::Source::kNothing && !metrics_.empty()) {
      knowledge_.source = Knowledge::Source::kScan;
    }
  }

  void Describe() {
    for (auto& metric : metrics_) {
      Resynchronise();
      const Answer answer = Ask(pdu::DescReq{metric.pmid});
      const auto* const desc = answer.As<pdu::Desc>();
      if (desc == nullptr || desc->descriptor.pmid != metric.pmid) {
        if (answer.As<pdu::Error>() != nullptr) {
          if (!metric.dynamic) knowledge_.unknown.push_back(metric.ToText());
        } else if (answer.is_pdu()) {
          knowledge_.misdescribed.push_back(metric);
        }
        continue;
      }
      metric.descriptor = desc->descriptor;
      knowledge_.metrics.push_back(metric);
    }
    std::set<Indom> indoms;
    for (const KnownMetric& metric : knowledge_.metrics) {
      if (!metric.descriptor.indom.IsNull()) indoms.insert(metric.descriptor.indom);
    }
    // The first fetch may be what fills an instance domain (PMD-221), and the agent may look for
    // instances when it is asked for them.
    for (int round = 0; round < 2; ++round) {
      for (const Indom indom : indoms) Instances(indom);
      if (round == 0) Fetch();
    }
    if (std::size_t fetched = std::min(knowledge_.metrics.size(), kMostFetched);
        fetched < knowledge_.metrics.size()) {
      knowledge_.remarks.push_back("only the first " + std::to_string(fetched) +
                                   " metrics were fetched to get to know them");
    }
  }

 private:
  void SetDomain(std::uint32_t domain) {
    knowledge_.domain = domain;
    knowledge_.domain_known = true;
  }

  void Add(const std::string& name, Pmid pmid, bool dynamic) {
    if (metrics_.size() > kMostMetrics || !known_.insert(pmid).second) return;
    metrics_.push_back({.name = name, .pmid = pmid, .dynamic = dynamic});
  }

  // One answer, from another agent if this one is lost.
  Answer Ask(const pdu::Body& request) {
    if (!session_) return Answer(Answer::Kind::kEnd);
    Answer answer = session_->Ask(request);
    answered_ |= answer.is_pdu();
    if (!answer.is_pdu()) Lose(Brief(request), answer);
    return answer;
  }

  // An agent that answers more than it was asked is replaced by one that has not yet done so.
  void Resynchronise() {
    if (!session_) return;
    const Answer surplus = session_->Next(Session::Duration(0));
    if (surplus.kind() != Answer::Kind::kNothing) Lose("no more", surplus);
  }

  void Lose(const std::string& request, const Answer& answer) {
    constexpr int kMostLost = 5;
    knowledge_.remarks.push_back("asked " + request + ", the agent gave " + answer.ToText());
    session_.reset();
    if (++lost_ == 1 && !answered_) dead_ = WhyDead(answer);
    if (dead_) return;
    if (lost_ > kMostLost) {
      knowledge_.remarks.push_back("it was asked no more");
      return;
    }
    auto next = Session::Open(subject_, ++agents_, log_);
    if (!next) {
      knowledge_.remarks.push_back(next.error().because);
      return;
    }
    session_.emplace(*std::move(next));
  }

  // Of an agent that gave no answer when it was first asked: nothing if others give any.
  std::optional<Verdict> WhyDead(const Answer& first) const {
    const bool silent = first.kind() == Answer::Kind::kNothing;
    if (!silent && first.kind() != Answer::Kind::kEnd) return std::nullopt;
    // One that ended has not been waited for.
    const auto any = silent ? life_signs_.Any() : LifeSigns(subject_, knowledge_.domain).Any();
    if (!any) return any.error();
    if (*any) return std::nullopt;
    if (silent) subject_.waits->WasSilent(Session::Duration(0), LifeSigns::kRequests);
    return Verdict::Fail("whatever it is asked after the handshake, the agent gives " +
                         first.ToText());
  }

  // The descriptors that the agent has for these, asked for all at once.
  std::vector<Descriptor> Descriptors(const std::vector<Pmid>& pmids) {
    std::vector<Descriptor> descriptors;
    if (!session_) return descriptors;
    pdu::Buffer requests;
    for (const Pmid pmid : pmids) {
      if (!pdu::Encode({.body = pdu::DescReq{pmid}}, &requests)) return descriptors;
    }
    session_->Send(Bytes(requests));
    for (std::size_t i = 0; i < pmids.size(); ++i) {
      const Answer answer = session_->Next();
      answered_ |= answer.is_pdu();
      if (!answer.is_pdu()) {
        Lose(Brief(pdu::DescReq{pmids[i]}), answer);
        return descriptors;
      }
      if (const auto* const desc = answer.As<pdu::Desc>()) descriptors.push_back(desc->descriptor);
    }
    return descriptors;
  }

  void Instances(Indom indom) {
    const Answer answer = Ask(pdu::InstanceReq{.indom = indom});
    std::vector<KnownInstance>& known = knowledge_.instances[indom];
    const auto* const instances = answer.As<pdu::Instance>();
    if (instances == nullptr) return;
    known.clear();
    for (const pdu::InstanceEntry& entry : instances->instances) {
      known.push_back({entry.instance, std::string(entry.name)});
    }
  }

  void Fetch() {
    for (std::size_t i = 0; i < std::min(knowledge_.metrics.size(), kMostFetched); ++i) {
      KnownMetric& metric = knowledge_.metrics[i];
      const Answer answer = Ask(pdu::Fetch{.pmids = std::span(&metric.pmid, 1)});
      const auto* const result = answer.As<pdu::Result>();
      if (result == nullptr || result->sets.size() != 1) continue;
      metric.numval = result->sets[0].numval();
    }
  }

  const Subject& subject_;
  LifeSigns& life_signs_;
  ExchangeLog* log_;
  Knowledge& knowledge_;
  std::optional<Session> session_{};
  unsigned agents_ = 1;
  int lost_ = 0;
  bool answered_ = false;  // something, sometime
  std::optional<Verdict> dead_{};
  std::vector<KnownMetric> metrics_{};
  std::set<Pmid> known_{};
};

// The same names, with this domain in place of 0.
pmda::NameTree WithDomain(const pmda::NameTree& tree, std::uint32_t domain) {
  pmda::NameTree names;
  const auto leaves = *tree.Traverse("");
  for (const auto& leaf : leaves) {
    const Pmid pmid = leaf.pmid == pmda::DynamicRoot(0) ? pmda::DynamicRoot(domain)
                      : leaf.pmid.domain() == 0
                          ? Pmid::Of(domain, leaf.pmid.cluster(), leaf.pmid.item())
                          : leaf.pmid;
    (void)names.Add(leaf.name, pmid);
  }
  return names;
}

void AllowStores(const std::vector<std::string>& stores, Knowledge* knowledge) {
  for (const std::string& store : stores) {
    bool any = false;
    for (const KnownMetric& metric : knowledge->metrics) {
      if (store != "all" && store != metric.name && store != ToText(metric.pmid)) continue;
      any = true;
      if (!knowledge->MayStore(metric.pmid)) knowledge->storable.push_back(metric.pmid);
    }
    if (!any) knowledge->remarks.push_back("--store " + store + ": no such metric was found");
  }
}

}  // namespace

std::uint32_t LikelyDomain(const Discovery& discovery) {
  if (discovery.domain) return *discovery.domain;
  if (discovery.names == nullptr || discovery.names_of_domain_0) return 0;
  return MostFrequent(DomainsOf(*discovery.names)).value_or(0);
}

VerdictOr<Knowledge> Discover(const Subject& subject, const Discovery& discovery,
                              ExchangeLog* log) {
  auto met = Session::Open(subject, 1, log);
  if (!met) return tl::make_unexpected(met.error());
  LifeSigns life_signs(subject, LikelyDomain(discovery));
  return Learn(subject, discovery, *std::move(met), &life_signs, log);
}

VerdictOr<Knowledge> Learn(const Subject& subject, const Discovery& discovery, Session met,
                           LifeSigns* life_signs, ExchangeLog* log) {
  Knowledge knowledge;
  if (discovery.domain) {
    knowledge.domain = *discovery.domain;
    knowledge.domain_known = true;
  }
  Interview interview(subject, std::move(met), life_signs, log, &knowledge);
  if (discovery.names != nullptr && discovery.names_of_domain_0) {
    if (!knowledge.domain_known) interview.FindDomain();
    if (knowledge.domain_known) {
      interview.NamesOfFile(WithDomain(*discovery.names, knowledge.domain), knowledge.domain);
    }
  } else if (discovery.names != nullptr) {
    interview.NamesOfFile(*discovery.names, discovery.domain);
  } else {
    std::vector<std::string> roots = discovery.roots;
    if (roots.empty()) {
      roots = GuessedRoots(subject.command.words);
      roots.emplace_back("");
    }
    for (const std::string& root : roots) {
      if (interview.Traverse(root) && discovery.roots.empty()) break;
    }
    if (!knowledge.domain_known) interview.FindDomain();
    if (knowledge.domain_known) interview.Scan();
  }
  interview.Describe();
  if (const auto lives = interview.Lives(); !lives) return tl::make_unexpected(lives.error());
  AllowStores(discovery.stores, &knowledge);
  return knowledge;
}

}  // namespace pmproof::validator::agent
