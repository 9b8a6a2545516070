// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/offences.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "validator/protocol_check/exchange_log.h"

namespace pmproof::validator::agent {
namespace {

TEST(AnOffence, IsTheFailure) {
  Offences offences;
  EXPECT_TRUE(offences.Or(Verdict::Pass("noted")) == Verdict::Pass("noted"));
  offences.Add("red is blue");
  EXPECT_TRUE(offences.Or(Verdict::Pass()) == Verdict::Fail("red is blue"));
}

TEST(Offences, AreAllCountedAndKept) {
  Offences offences;
  for (int i = 1; i <= 5; ++i) offences.Add("offence " + std::to_string(i));
  const Verdict verdict = offences.Or(Verdict::NotChecked("nothing was looked at"));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.offences, 5u);
  EXPECT_EQ(verdict.because, "offence 1");
  EXPECT_EQ(verdict.further,
            (std::vector<std::string>{"offence 2", "offence 3", "offence 4", "offence 5"}));
}

TEST(Offences, AreAllCountedWhereThereIsNoRoomForTheirTexts) {
  Offences many;
  for (int i = 0; i < 3000; ++i) many.Add(std::to_string(i));
  EXPECT_EQ(many.Or(Verdict::Pass()).offences, 3000u);
  EXPECT_EQ(many.Or(Verdict::Pass()).further.size(), Offences::kMost - 1);
  Offences large;
  for (char c = 'a'; c <= 'z'; ++c) large.Add(std::string(Offences::kMostBytes / 4, c));
  EXPECT_EQ(large.Or(Verdict::Pass()).offences, 26u);
  EXPECT_EQ(large.Or(Verdict::Pass()).further.size(), 4u);
  Offences outer;
  outer.Add(many.Or(Verdict::Pass()));
  EXPECT_EQ(outer.Or(Verdict::Pass()).offences, 3000u);
}

TEST(Offences, ThatAreTheSameAreOne) {
  Offences offences;
  EXPECT_TRUE(offences.Add("red is blue"));
  EXPECT_FALSE(offences.Add("red is blue"));
  EXPECT_EQ(offences.Or(Verdict::Pass()).offences, 1u);
}

TEST(Offences, OfAnotherVerdictCountAllTheSame) {
  Offences inner;
  for (int i = 1; i <= 7; ++i) inner.Add("inner " + std::to_string(i));
  Offences offences;
  offences.Add("first");
  offences.Add(inner.Or(Verdict::Pass()));
  const Verdict verdict = offences.Or(Verdict::Pass());
  EXPECT_EQ(verdict.offences, 8u);
  EXPECT_EQ(verdict.further.size(), 7u);
  EXPECT_EQ(verdict.further.front(), "inner 1");
}

std::vector<std::string> Texts(const ExchangeLog& log) {
  std::vector<std::string> texts;
  for (const ExchangeLine& line : log.Lines()) texts.push_back(line.text);
  return texts;
}

TEST(TheExchange, KeepsWhatLedToTheFirstOffences) {
  ExchangeLog log;
  const auto events = [&](int from, int to) {
    for (int i = from; i <= to; ++i) log.Event(1, std::to_string(i));
  };
  events(1, 100);
  log.Offence(1);
  events(101, 200);
  log.Offence(1);
  events(201, 203);
  log.Offence(1);
  events(204, 300);
  log.Offence(1);
  std::vector<std::string> due = {"1", "2", "3", "4", "5", "6", "7", "8", "72 lines left out here"};
  for (int i = 81; i <= 100; ++i) due.push_back(std::to_string(i));
  due.insert(due.end(),
             {"offence 1", "94 lines left out here", "195", "196", "197", "198", "199", "200",
              "offence 2", "201", "202", "203", "offence 3", "97 lines left out here"});
  EXPECT_EQ(Texts(log), due);
}

TEST(TheExchange, IsInOrderWhereTheFirstLineIsAnOffence) {
  ExchangeLog log;
  log.Offence(1);
  log.Event(1, "after it");
  EXPECT_EQ(Texts(log), (std::vector<std::string>{"offence 1", "after it"}));
}

TEST(ARecording, KeepsEachStepUntilItIsFull) {
  ExchangeLog log;
  log.Record();
  const std::vector<std::uint8_t> large(Recording::kMost / 2, 7);
  log.Sent(1, large);
  log.Received(1, Bytes(large).first(12));
  log.Sent(1, large);
  log.Sent(1, Bytes(large).first(1));
  const Recording& recording = *log.recording();
  ASSERT_EQ(recording.steps.size(), 2u);
  EXPECT_EQ(recording.steps[0].bytes, large);
  EXPECT_EQ(recording.steps[1].kind, ExchangeStep::Kind::kReceived);
  EXPECT_EQ(recording.not_repeatable, "the exchange is longer than what is recorded");
}

}  // namespace
}  // namespace pmproof::validator::agent
