// SPDX-License-Identifier: Apache-2.0
#include "validator/against/compare_values.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "reference/archive/memory_budget.h"

namespace pmproof::validator::against {
namespace {

using archive::DataRecord;
using archive::ValueSet;

// True if the records are the same, byte for byte, and of the same version.
bool SameBytes(const Instant& a, const Instant& b) {
  return a.versions == b.versions && a.bytes == b.bytes;
}

std::uint32_t AnswersOf(const ValueSet& set) { return set.numval() > 0 ? set.count() : 1; }

std::size_t MarksIn(const Instant* instant) {
  if (instant == nullptr) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(instant->records, &DataRecord::IsMark));
}

}  // namespace

std::optional<Status> ValueComparison::Compare(const Instant* original,
                                               const Instant* replacement) {
  original_.clear();
  replacement_.clear();
  const bool same = original != nullptr && replacement != nullptr &&
                    metrics_.SameBytesMeanTheSame() && SameBytes(*original, *replacement);
  if (original != nullptr) {
    if (auto error = Take(*original, true, &totals_original_, same ? nullptr : &original_)) {
      return error;
    }
  }
  if (replacement != nullptr) {
    if (auto error =
            Take(*replacement, false, &totals_replacement_, same ? nullptr : &replacement_)) {
      return error;
    }
  }
  if (same) return std::nullopt;
  const bool as_many_marks = MarksIn(original) == MarksIn(replacement);
  if (!as_many_marks) {
    // The marks are reported; which values they stand before is not comparable.
    for (auto* items : {&original_, &replacement_}) {
      for (Item& item : *items) item.marks = 0;
    }
  }
  CompareItems((original != nullptr ? original : replacement)->at);
  return std::nullopt;
}

MetricPair* ValueComparison::Find(Pmid pmid) {
  if (metric_ == nullptr || metric_->pmid != pmid) metric_ = metrics_.Find(pmid);
  return metric_;
}

std::optional<Status> ValueComparison::Take(const Instant& instant, bool is_original,
                                            Totals* totals, std::vector<Item>* items) {
  std::uint32_t marks = 0;
  bool too_many = false;
  for (const DataRecord& record : instant.records) {
    if (record.IsMark()) {
      ++marks;
      ++totals->marks;
      continue;
    }
    ++totals->records;
    record.ForEachSet([&](const ValueSet& set) {
      const Pmid pmid = is_original ? set.pmid() : metrics_.InOriginal(set.pmid());
      MetricPair* metric = Find(pmid);
      if (metric == nullptr) {
        too_many = true;
        return;
      }
      const std::uint32_t answers = AnswersOf(set);
      totals->values += answers;
      (is_original ? metric->values : metric->values_instead) += answers;
      if (is_original != metric->added()) {
        if (!metric->first || record.time < *metric->first) metric->first = record.time;
        if (!metric->last || record.time > *metric->last) metric->last = record.time;
      }
      if (is_original) {
        for (InForce* subject : metric->subjects) subject->Look(instant.at);
      }
      if (items == nullptr) return;
      for (std::uint32_t i = 0; i < answers; ++i) {
        Item item{.pmid = pmid,
                  .is_status = set.numval() <= 0,
                  .instance = set.numval() > 0 ? set.Instance(i) : kInstanceNull,
                  .time = record.time,
                  .order = static_cast<std::uint32_t>(items->size()),
                  .marks = marks,
                  .stored = {set, i}};
        items->push_back(item);
      }
    });
  }
  if (!too_many) return std::nullopt;
  Status status = archive::BeyondBudget("");
  status.message = "too many metrics have values and no descriptor";
  return status;
}

void ValueComparison::CompareItems(Timestamp time) {
  const auto before = [](const Item& a, const Item& b) {
    return std::tuple(a.Key(), a.order) < std::tuple(b.Key(), b.order);
  };
  std::ranges::sort(original_, before);
  std::ranges::sort(replacement_, before);
  const auto end_of = [](const std::vector<Item>& items, std::size_t begin) {
    std::size_t end = begin;
    while (end < items.size() && items[end].Key() == items[begin].Key()) ++end;
    return end;
  };
  bool moved = false;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < original_.size() || k < replacement_.size()) {
    const bool has_was = i < original_.size() &&
                         (k == replacement_.size() || original_[i].Key() <= replacement_[k].Key());
    const bool has_is = k < replacement_.size() &&
                        (i == original_.size() || replacement_[k].Key() <= original_[i].Key());
    const std::size_t i_end = has_was ? end_of(original_, i) : i;
    const std::size_t k_end = has_is ? end_of(replacement_, k) : k;
    moved = !CompareKey({original_.data() + i, i_end - i}, {replacement_.data() + k, k_end - k}) ||
            moved;
    i = i_end;
    k = k_end;
  }
  if (!moved) return;
  log_.Add(
      {Kind::kMarks, Change::kChanged}, time, time, [] { return Difference{}; },
      [] {
        return Example{
            .at = {}, .item = {}, .was = {}, .is = "stands before other values of its own time"};
      });
}

bool ValueComparison::CompareKey(std::span<const Item> was, std::span<const Item> is) {
  const Item& any = was.empty() ? is.front() : was.front();
  const MetricPair& metric = *Find(any.pmid);
  // What belongs to a metric that is lost or added goes with it.
  if (metric.lost() || (metric.added() && was.empty())) return true;
  const auto same = [&](const Item& a, const Item& b) {
    return metric.retyped() ? SameNumber(a.stored, metric.original->descriptor.type, b.stored,
                                         metric.replacement->descriptor.type)
                            : SameValue(a.stored, b.stored, metric.type());
  };
  // The same values in the same order, each at least as often in a row.
  bool in_place = true;
  std::size_t k = 0;
  std::size_t i = 0;
  while (i < was.size() && k < is.size() && same(was[i], is[k])) {
    in_place = in_place && was[i].marks == is[k].marks;
    ++i;
    ++k;
    // Repetitions: whatever follows in a row and is not the next value of the original.
    while (k < is.size() && same(was[i - 1], is[k]) && (i == was.size() || !same(was[i], is[k]))) {
      ++k;
    }
  }
  if (i == was.size() && k == is.size()) {
    repeated_ += is.size() - was.size();
    return in_place;
  }
  // What both begin and end with is the same; between, one stands for the other as far as it goes.
  // A value beside one that was there is no mere addition: readers may get it instead.
  const Item* beside = was.empty() ? nullptr : &was.back();
  std::size_t begin = 0;
  while (begin < std::min(was.size(), is.size()) && same(was[begin], is[begin])) ++begin;
  was = was.subspan(begin);
  is = is.subspan(begin);
  while (!was.empty() && !is.empty() && same(was.back(), is.back())) {
    was = was.first(was.size() - 1);
    is = is.first(is.size() - 1);
  }
  for (std::size_t n = 0; n < std::max(was.size(), is.size()); ++n) {
    Log(metric, n < was.size() ? &was[n] : beside, n < is.size() ? &is[n] : nullptr);
  }
  return true;
}

void ValueComparison::Log(const MetricPair& metric, const Item* was, const Item* is) {
  const Change change = was == nullptr  ? Change::kAdded
                        : is == nullptr ? Change::kLost
                                        : Change::kChanged;
  const Item& any = was != nullptr ? *was : *is;
  log_.Add(
      {Kind::kValues, change, metric.pmid.value}, any.time, any.time,
      [&] {
        Difference difference;
        difference.subject = metric.Name();
        difference.pmid = metric.pmid;
        return difference;
      },
      [&] {
        Example example;
        if (!any.is_status && any.instance != kInstanceNull) {
          example.item = std::to_string(any.instance);
          if (const auto name = name_(metric, any.instance, any.time)) {
            example.item += " \"" + Shortened(*name) + '"';
          }
        }
        const MetricType type = metric.type();
        if (was != nullptr) example.was = Shown(was->stored, type);
        if (is != nullptr) {
          example.is =
              Shown(is->stored,
                    metric.replacement != nullptr ? metric.replacement->descriptor.type : type);
        }
        if (was != nullptr && is != nullptr && example.was == example.is) {
          example.is += " (other bytes)";
        }
        return example;
      });
}

}  // namespace pmproof::validator::against
