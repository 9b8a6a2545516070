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

void ExchangeLog::Add(ExchangeLine::Kind kind, unsigned agent, Bytes bytes) {
  (kind == ExchangeLine::Kind::kSent ? bytes_sent_ : bytes_received_) += bytes.size();
  const Bytes kept = bytes.first(std::min(bytes.size(), kBytes));
  Keep({.kind = kind,
        .agent = agent,
        .bytes = std::vector<std::uint8_t>(kept.begin(), kept.end()),
        .size = bytes.size()});
}

void ExchangeLog::Keep(ExchangeLine line) {
  if (first_.size() < kFirst) {
    first_.push_back(std::move(line));
    return;
  }
  if (last_.size() == kLast) {
    last_.pop_front();
    ++left_out_;
  }
  last_.push_back(std::move(line));
}

std::vector<ExchangeLine> ExchangeLog::Lines() const {
  std::vector<ExchangeLine> lines;
  const auto append = [&](ExchangeLine line) {
    if (line.kind != ExchangeLine::Kind::kEvent) line.text = TextOf(line.bytes, line.size);
    if (line.text.size() > kText) line.text = line.text.substr(0, kText) + " ... (cut)";
    line.bytes.resize(std::min(line.bytes.size(), kShown));
    lines.push_back(std::move(line));
  };
  for (const ExchangeLine& line : first_) append(line);
  if (left_out_ > 0) {
    append({.agent = first_.back().agent,
            .text = std::to_string(left_out_) + (left_out_ == 1 ? " line" : " lines") +
                    " left out here"});
  }
  for (const ExchangeLine& line : last_) append(line);
  return lines;
}

}  // namespace pmproof::validator::agent
