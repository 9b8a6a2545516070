// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "validator/collector/checks.h"

// CKC-031..036: the name space, and names that an agent supplies.

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kNumfetch = Pmid::Of(kSimpleDomain, 0, 0);
constexpr Pmid kColor = Pmid::Of(kSimpleDomain, 0, 1);
constexpr Pmid kPid = Pmid::Of(kSampleDomain, 0, 1);  // has three names
constexpr Pmid kSecretBar = Pmid::Of(kSampleDomain, 0, 1000);
constexpr std::string_view kSecret = "sample.secret";  // 29:*:*

void ExpectIds(Trial& trial, const Answer& answer, std::int32_t status,
               const std::vector<Pmid>& expected, std::string_view about) {
  const auto* const ids = trial.ExpectPdu<pdu::PmnsIds>(answer, about);
  if (ids == nullptr) return;
  std::string words = "PMNS_IDS with status " + std::to_string(status) + " and";
  for (const Pmid pmid : expected) words += " " + ToText(pmid);
  trial.Expect(ids->status == status && std::ranges::equal(ids->pmids, expected), about, words,
               pdu::ToText(*answer.decoded()));
}

void Lookup(Trial& trial) {  // CKC-031
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  ExpectIds(trial, client.Ask(NamesOf({"simple.numfetch"})), 1, {kNumfetch},
            "PMNS_NAMES of simple.numfetch");
  ExpectIds(trial, client.Ask(NamesOf({"simple.numfetch", "no.such"})), 1,
            {kNumfetch, Pmid::Null()}, "PMNS_NAMES of simple.numfetch and no.such");
  trial.ExpectError(client.Ask(NamesOf({"no.such"})), ErrorCode::kName, "PMNS_NAMES of no.such");
  trial.ExpectError(client.Ask(NamesOf({"simple"})), ErrorCode::kNonLeaf,
                    "PMNS_NAMES of simple, which is not a leaf");
  ExpectIds(trial, client.Ask(NamesOf({"simple.color", "simple"})), 1, {kColor, Pmid::Null()},
            "PMNS_NAMES of simple.color and simple");
  trial.ExpectError(client.Ask(Words({0x1c, 0x700e, 0, 1, 0, 1, 0})), pdu::kErrIpc,
                    "PMNS_NAMES of an empty name");
  trial.ExpectError(client.Ask(Words({0x18, 0x700e, 0, 0, 0, 0})), pdu::kErrTooSmall,
                    "PMNS_NAMES of no name");
}

void DynamicLookup(Trial& trial) {  // CKC-032
  Client& client = trial.Connect();
  trial.Need(client, kPid, "sample (29)");
  const std::string bar = std::string(kSecret) + ".bar";
  ExpectIds(trial, client.Ask(NamesOf({bar})), 1, {kSecretBar}, "PMNS_NAMES of " + bar);
  const std::string unknown = std::string(kSecret) + ".no_such";
  trial.ExpectError(client.Ask(NamesOf({unknown})), ErrorCode::kName, "PMNS_NAMES of " + unknown);
  const Answer root = client.Ask(NamesOf({kSecret}));
  if (trial.decided()) return;
  const std::string about = "PMNS_NAMES of " + std::string(kSecret) + ", a dynamic root";
  const Due due = DueFrom(trial.subject().version, {{6, 0, 99}}, {{6, 3, 8}});
  const auto* const error = root.As<pdu::Error>();
  const bool old = due == Due::kOld ||
                   (due == Due::kEither && error != nullptr && error->code == ErrorCode::kName);
  trial.ExpectError(root, old ? ErrorCode::kName : ErrorCode::kNonLeaf, about);
  if (due == Due::kEither) trial.Note(old ? "dynamic root: as 6.0.3" : "dynamic root: as 6.3.8");
}

// The names of a list, in order; `sorted` where their order is not due.
void ExpectNames(Trial& trial, const Answer& answer, std::vector<std::string> expected,
                 std::string_view about, bool in_order = true) {
  const auto* const names = trial.ExpectPdu<pdu::PmnsNames>(answer, about);
  if (names == nullptr) return;
  std::vector<std::string> got;
  for (const pdu::PmnsName& name : names->names) got.emplace_back(name.name);
  if (!in_order) {
    std::ranges::sort(got);
    std::ranges::sort(expected);
  }
  std::string words = expected.empty() ? "no names" : "the names";
  for (const std::string& name : expected) words += " " + name;
  trial.Expect(got == expected, about, words, pdu::ToText(*answer.decoded()));
}

void ReverseLookup(Trial& trial) {  // CKC-033
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  trial.Need(client, kPid, "sample (29)");
  ExpectNames(trial, client.Ask(IdsOf({kNumfetch})), {"simple.numfetch"}, "PMNS_IDS of 253.0.0");
  ExpectNames(trial, client.Ask(IdsOf({kPid})),
              {"sample.daemon_pid", "sample.dupnames.daemon_pid", "sample.dupnames.pid_daemon"},
              "PMNS_IDS of 29.0.1", /*in_order=*/false);
  ExpectNames(trial, client.Ask(IdsOf({kSecretBar})), {std::string(kSecret) + ".bar"},
              "PMNS_IDS of 29.0.1000, whose name is dynamic");
  trial.ExpectError(client.Ask(IdsOf({Pmid::Of(kSimpleDomain, 0, 77)})), ErrorCode::kPmid,
                    "PMNS_IDS of the unknown 253.0.77");
  trial.ExpectError(client.Ask(IdsOf({Pmid::Of(kNoDomain, 0, 0)})), pdu::kErrNoAgent,
                    "PMNS_IDS of 99.0.0");
  trial.ExpectError(client.Ask(Words({0x14, 0x700d, 0, 0, 0})), pdu::kErrIpc,
                    "PMNS_IDS without a PMID");
  trial.ExpectError(client.Ask(IdsOf({kNumfetch, kNumfetch})), pdu::kErrIpc,
                    "PMNS_IDS of two PMIDs");
}

const pdu::PmnsName* FindName(const pdu::PmnsNames& names, std::string_view name) {
  const auto found = std::ranges::find(names.names, name, &pdu::PmnsName::name);
  return found == names.names.end() ? nullptr : &*found;
}

void Root(Trial& trial) {  // CKC-034
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  const std::string about = "PMNS_CHILD of \"\" with subtype 1";
  const Answer answer = client.Ask(ChildrenOf("", 1));
  const auto* const names = trial.ExpectPdu<pdu::PmnsNames>(answer, about);
  if (names == nullptr) return;
  const std::string shown = pdu::ToText(*answer.decoded());
  trial.Expect(names->has_status, about, "names with status", shown);
  const pdu::PmnsName* const simple = FindName(*names, "simple");
  trial.Expect(simple != nullptr && simple->status == pdu::kNonLeaf, about,
               "simple with status 1 among the names", shown);
  trial.Expect(std::ranges::none_of(names->names,
                                    [](const pdu::PmnsName& name) {
                                      return name.name.find('.') != std::string_view::npos;
                                    }),
               about, "top-level names only", shown);
}

void Children(Trial& trial) {  // CKC-035
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  const std::vector<std::string> children = {"numfetch", "color", "time", "now"};
  ExpectNames(trial, client.Ask(ChildrenOf("simple", 0)), children,
              "PMNS_CHILD of simple with subtype 0");
  const std::string about = "PMNS_CHILD of simple with subtype 1";
  const Answer answer = client.Ask(ChildrenOf("simple", 1));
  ExpectNames(trial, answer, children, about);
  if (const auto* const names = answer.As<pdu::PmnsNames>(); names != nullptr) {
    const std::array statuses = {pdu::kLeaf, pdu::kLeaf, pdu::kNonLeaf, pdu::kLeaf};
    trial.Expect(
        names->has_status && std::ranges::equal(names->names, statuses, {}, &pdu::PmnsName::status),
        about, "the status 0, 0, 1, 0", pdu::ToText(*answer.decoded()));
  }
  ExpectNames(trial, client.Ask(ChildrenOf("simple.color", 0)), {},
              "PMNS_CHILD of simple.color, a leaf");
  trial.ExpectError(client.Ask(ChildrenOf("no.such", 0)), ErrorCode::kName,
                    "PMNS_CHILD of no.such");
  trial.Need(client, kPid, "sample (29)");
  // The agent's list: foo and bar are in that of every version.
  const std::string root = "PMNS_CHILD of sample.secret, a dynamic root";
  const Answer secret = client.Ask(ChildrenOf(kSecret, 0));
  if (const auto* const names = trial.ExpectPdu<pdu::PmnsNames>(secret, root)) {
    trial.Expect(FindName(*names, "foo") != nullptr && FindName(*names, "bar") != nullptr, root,
                 "foo and bar among the names", pdu::ToText(*secret.decoded()));
  }
}

void Leaves(Trial& trial) {  // CKC-036
  Client& client = trial.Connect();
  trial.Need(client, kNumfetch, "simple (253)");
  ExpectNames(
      trial, client.Ask(LeavesOf("simple")),
      {"simple.numfetch", "simple.color", "simple.time.user", "simple.time.sys", "simple.now"},
      "PMNS_TRAVERSE of simple");
  ExpectNames(trial, client.Ask(LeavesOf("simple.now")), {"simple.now"},
              "PMNS_TRAVERSE of simple.now, a leaf");
  trial.ExpectError(client.Ask(LeavesOf("no.such")), ErrorCode::kName, "PMNS_TRAVERSE of no.such");
  trial.Need(client, kPid, "sample (29)");
  const std::string bar = std::string(kSecret) + ".foo.bar";
  ExpectNames(trial, client.Ask(LeavesOf(bar)),
              {bar + ".max.redirect", bar + ".three", bar + ".four", bar + ".grunt.five",
               bar + ".grunt.snort.six", bar + ".grunt.snort.huff.puff.seven"},
              "PMNS_TRAVERSE of " + bar + ", which is dynamic");
}

constexpr std::array kChecks = {
    Check{"CKC-031"_clause, Lookup},        Check{"CKC-032"_clause, DynamicLookup},
    Check{"CKC-033"_clause, ReverseLookup}, Check{"CKC-034"_clause, Root},
    Check{"CKC-035"_clause, Children},      Check{"CKC-036"_clause, Leaves},
};

}  // namespace

std::span<const Check> NameChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
