// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/exchange_log.h"

#include <algorithm>
#include <utility>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/pdu_text.h"

namespace pmproof::validator::agent {
namespace {

std::string TextOf(Bytes bytes, std::uint64_t size) {
  const std::string octets = std::to_string(size) + (size == 1 ? " byte" : " bytes");
  if (bytes.size() < pdu::kHeaderSize) return octets + ", less than a header";
  const pdu::Header header = pdu::LoadHeader(bytes);
  if (bytes.size() < size) return ToText(header.type) + " of " + octets;
  if (header.length < 0 || static_cast<std::uint64_t>(header.length) != size) {
    return octets + " of " + ToText(header.type) + ", whose length says " +
           std::to_string(header.length);
  }
  pdu::Decoder decoder;
  const auto decoded = decoder.Decode(bytes);
  if (decoded) return ToText(*decoded);
  return ToText(header.type) + " that cannot be decoded: " + decoded.error().ToText();
}

}  // namespace

void ExchangeLog::Event(unsigned agent, std::string text, Bytes bytes) {
  const Bytes kept = bytes.first(std::min(bytes.size(), kShown));
  Keep({.kind = ExchangeLine::Kind::kEvent,
        .agent = agent,
        .text = std::move(text),
        .bytes = std::vector<std::uint8_t>(kept.begin(), kept.end()),
        .size = bytes.size()});
}

void ExchangeLog::Add(ExchangeLine::Kind kind, unsigned agent, Bytes bytes,
                      ExchangeStep::Kind step) {
  (kind == ExchangeLine::Kind::kSent ? bytes_sent_ : bytes_received_) += bytes.size();
  if (recording_) {
    Step({.kind = step,
          .agent = agent,
          .bytes = std::vector<std::uint8_t>(bytes.begin(), bytes.end())});
  }
  const Bytes kept = bytes.first(std::min(bytes.size(), kBytes));
  Keep({.kind = kind,
        .agent = agent,
        .bytes = std::vector<std::uint8_t>(kept.begin(), kept.end()),
        .size = bytes.size()});
}

void ExchangeLog::Keep(ExchangeLine line) {
  if (offences_ == 0 && first_.size() < kFirst) {
    first_.push_back(std::move(line));
    return;
  }
  if (offences_ >= kOffences) {
    ++left_out_;
    return;
  }
  if (last_.size() == (offences_ == 0 ? kLast : kBefore)) {
    last_.pop_front();
    ++left_out_;
  }
  last_.push_back(std::move(line));
}

void ExchangeLog::Offence(unsigned agent) {
  ++offences_;
  if (offences_ > kOffences) return;
  parts_.push_back({left_out_, std::vector<ExchangeLine>(last_.begin(), last_.end())});
  parts_.back().lines.push_back({.agent = agent, .text = "offence " + std::to_string(offences_)});
  last_.clear();
  left_out_ = 0;
}

void ExchangeLog::Said(AgentOutput output) {
  said_.push_back(std::move(output));
  if (said_.size() > kOutputs) said_.pop_front();
}

void ExchangeLog::Step(ExchangeStep step) {
  if (recording_) recording_->Add(std::move(step));
}

void ExchangeLog::NotRepeatable(std::string because) {
  if (recording_ && recording_->not_repeatable.empty()) {
    recording_->not_repeatable = std::move(because);
  }
}

std::vector<ExchangeLine> ExchangeLog::Lines() const {
  std::vector<ExchangeLine> lines;
  const auto append = [&](ExchangeLine line) {
    if (line.kind != ExchangeLine::Kind::kEvent) line.text = TextOf(line.bytes, line.size);
    if (line.text.size() > kText) line.text = line.text.substr(0, kText) + " ... (cut)";
    line.bytes.resize(std::min(line.bytes.size(), kShown));
    lines.push_back(std::move(line));
  };
  const auto left_out = [&](std::uint64_t count) {
    if (count == 0) return;
    append({.agent = lines.empty() ? 1 : lines.back().agent,
            .text = std::to_string(count) + (count == 1 ? " line" : " lines") + " left out here"});
  };
  for (const ExchangeLine& line : first_) append(line);
  for (const Part& part : parts_) {
    left_out(part.left_out);
    for (const ExchangeLine& line : part.lines) append(line);
  }
  left_out(left_out_);
  for (const ExchangeLine& line : last_) append(line);
  return lines;
}

}  // namespace pmproof::validator::agent
