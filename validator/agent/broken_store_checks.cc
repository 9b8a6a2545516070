// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "validator/agent/asking.h"
#include "validator/agent/broken_pdus.h"
#include "validator/agent/check.h"

// 16.6, stores whose counts, offsets and blocks do not fit (4.5, section 5). They name a metric
// that may be stored to, or one that there is not, so that an agent which takes them changes
// nothing that nobody allowed.

namespace pmproof::validator::agent {
namespace {

using pdu::PduType;

constexpr std::uint32_t kResult = 0x7001;
constexpr std::uint32_t kInsitu = 0;
constexpr std::uint32_t kBlock = 1;
constexpr std::uint32_t kNoInstance = ~0U;

VerdictOr<std::uint32_t> Target(const Bench& bench) {
  if (!bench.knowledge().storable.empty()) return bench.knowledge().storable.front().value;
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return tl::make_unexpected(unused.error());
  return unused->value;
}

// 44 bytes: one value in a block, whose place is `offset` in words from the start of the PDU; what
// is at byte 44 is word 11.
pdu::Buffer OneBlock(std::uint32_t pmid, std::uint32_t offset,
                     std::initializer_list<std::uint32_t> block = {}) {
  std::vector<std::uint32_t> words = {0, 0, 1, pmid, 1, kBlock, kNoInstance, offset};
  words.insert(words.end(), block);
  pdu::Buffer bytes = RawPdu(kResult, {});
  for (const std::uint32_t word : words) {
    bytes.resize(bytes.size() + 4);
    StoreU32(bytes.data() + bytes.size() - 4, word);
  }
  StoreU32(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  return bytes;
}

// CKA-147
Verdict BrokenStoresFail(Bench& bench, Session& session) {
  const auto target = Target(bench);
  if (!target) return target.error();
  const std::uint32_t pmid = *target;
  const Trial trials[] = {
      {"RESULT of 20 bytes", RawPdu(kResult, {0, 0})},
      {"RESULT with npmid -1", RawPdu(kResult, {0, 0, ~0U})},
      {"RESULT with npmid 1 and no value set", RawPdu(kResult, {0, 0, 1})},
      {"RESULT with npmid 0x40000001",
       RawPdu(kResult, {0, 0, 0x40000001, pmid, 1, kInsitu, kNoInstance, 1})},
      {"RESULT with numval 5 and one value",
       RawPdu(kResult, {0, 0, 1, pmid, 5, kInsitu, kNoInstance, 1})},
      {"RESULT with valfmt 9", RawPdu(kResult, {0, 0, 1, pmid, 1, 9, kNoInstance, 5})},
      {"RESULT with a block at offset 0", OneBlock(pmid, 0)},
      {"RESULT with a block past the end", OneBlock(pmid, 100)},
      {"RESULT with a block inside the header", OneBlock(pmid, 2, {0x0300000c, 0, 0})},
      {"RESULT with vlen 0", OneBlock(pmid, 11, {0x06000000})},
      {"RESULT with vlen 3", OneBlock(pmid, 11, {0x06000003})},
      {"RESULT with vlen past the end", OneBlock(pmid, 11, {0x06ffffff})},
      {"RESULT with bytes after the values",
       RawPdu(kResult, {0, 0, 1, pmid, 1, kInsitu, kNoInstance, 5, 0})},
      {"RESULT with two values that share a block",
       RawPdu(kResult, {0, 0, 1, pmid, 2, kBlock, 0, 13, 1, 13, 0x0500000c, 0, 0})},
  };
  return OneAnswerEach(bench, session, trials, IsFailure, "an ERROR below 0");
}

// CKA-166: the sequence of PMD-115.
Verdict BrokenStoresLeaveNothingBehind(Bench& bench) {
  const auto metric = ProbeMetric(bench);
  if (!metric) return metric.error();
  const auto unused = bench.knowledge().UnusedPmid();
  if (!unused) return unused.error();
  const auto instanced = bench.knowledge().Instanced();
  const Pmid second = instanced ? (*instanced)->pmid : (*metric)->pmid;
  auto session = bench.Open();
  if (!session) return session.error();
  // Without its data an agent may refuse every FETCH (PM_ERR_AGAIN): the sequence needs results.
  const Pmid both[] = {(*metric)->pmid, second};
  const auto values = session->Expect<pdu::Result>(pdu::Fetch{.pmids = both});
  if (!values) return LeftTo({"CKA-034"_clause}, values.error()).value();
  const auto fetched = [](const Answer& answer) { return answer.As<pdu::Result>() != nullptr; };
  const auto failed = [](const Answer& answer) { return IsFailure(answer); };
  struct Step {
    Trial trial{};
    Accepts accepts{};
    const char* due = "";
  };
  const std::uint32_t fetch = TypeWord(PduType::kFetch);
  const Step steps[] = {
      {{"FETCH", RawPdu(fetch, {0, 0, 0, 2, (*metric)->pmid.value, second.value})},
       fetched,
       "RESULT"},
      {{"a RESULT that does not decode",
        RawPdu(kResult, {0, 0, 1, unused->value, 0x80000000, 0, kNoInstance, 1})},
       failed,
       "an ERROR below 0"},
      {{"FETCH", RawPdu(fetch, {0, 0, 0, 2, unused->value, second.value})}, fetched, "RESULT"},
      {{"a store of a DOUBLE", OneBlock(unused->value, 11, {0x0500000c, 0, 0})},
       failed,
       "an ERROR below 0"},
  };
  constexpr int kRounds = 5;
  for (int round = 1; round <= kRounds; ++round) {
    for (const Step& step : steps) {
      Verdict verdict =
          OneAnswerEach(bench, *session, Trials(&step.trial, 1), step.accepts, step.due);
      if (verdict.passed()) continue;
      verdict.because = "round " + std::to_string(round) + ": " + verdict.because;
      return verdict;
    }
  }
  return Verdict::Pass();
}

constexpr Check kChecks[] = {
    {"CKA-147"_clause, BrokenStoresFail},
    {"CKA-166"_clause, BrokenStoresLeaveNothingBehind},
};

}  // namespace

std::span<const Check> BrokenStoreChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
