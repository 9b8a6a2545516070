// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_STRICTNESS_H_
#define PMPROOF_REFERENCE_PMDA_PDU_STRICTNESS_H_

#include <array>
#include <string_view>

namespace pmproof::pdu {

// Where readers of different versions of PCP disagree about the same bytes. All else is refused, or
// taken, by all of them.
struct Strictness {
  std::string_view version;
  bool empty_creds_taken;            // PDU-052: ncreds 0
  bool bytes_behind_profile_taken;   // PDU-054: after the instances of at least one entry
  bool short_empty_profile_taken;    // PDU-054: 24 bytes, no entries
  bool long_desc_ids_taken;          // PDU-059
  bool loose_instance_req_taken;     // PDU-060: padding missing, bytes after the name
  bool bytes_behind_instance_taken;  // PDU-063
  bool long_text_req_taken;          // PMD-090
  bool unpadded_text_taken;          // PDU-067
  bool long_pmns_ids_taken;          // PDU-070
  bool negative_count_is_the_error;  // PDU-069: numnames -1 is answered with ERROR -1
  bool names_are_counted_by_place;   // PDU-069: each has a word left behind its head, whatever len
  bool long_label_req_taken;         // PMD-091
  bool label_may_leave_its_text;     // PDU-074: names and values only inside the PDU
  bool long_label_taken;             // PDU-074: bytes after the last text
  bool event_arrays_unchecked;       // PDU-174
};

inline constexpr Strictness kV60 = {.version = "6.0.3",
                                    .empty_creds_taken = true,
                                    .bytes_behind_profile_taken = true,
                                    .short_empty_profile_taken = false,
                                    .long_desc_ids_taken = true,
                                    .loose_instance_req_taken = true,
                                    .bytes_behind_instance_taken = true,
                                    .long_text_req_taken = true,
                                    .unpadded_text_taken = true,
                                    .long_pmns_ids_taken = true,
                                    .negative_count_is_the_error = false,
                                    .names_are_counted_by_place = true,
                                    .long_label_req_taken = true,
                                    .label_may_leave_its_text = true,
                                    .long_label_taken = true,
                                    .event_arrays_unchecked = true};

// From 6.3.1 on.
inline constexpr Strictness kV63 = {.version = "6.3.8",
                                    .empty_creds_taken = false,
                                    .bytes_behind_profile_taken = false,
                                    .short_empty_profile_taken = true,
                                    .long_desc_ids_taken = false,
                                    .loose_instance_req_taken = false,
                                    .bytes_behind_instance_taken = false,
                                    .long_text_req_taken = false,
                                    .unpadded_text_taken = false,
                                    .long_pmns_ids_taken = false,
                                    .negative_count_is_the_error = true,
                                    .names_are_counted_by_place = false,
                                    .long_label_req_taken = false,
                                    .label_may_leave_its_text = false,
                                    .long_label_taken = false,
                                    .event_arrays_unchecked = false};

// No reader of 7.2 takes what 6.3 refuses, or the reverse; the ceiling of PDU-006 is the framing's.
inline constexpr Strictness kV72 = [] {
  Strictness strictness = kV63;
  strictness.version = "7.2.2";
  return strictness;
}();

inline constexpr std::array kStrictnesses = {&kV60, &kV63, &kV72};

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_STRICTNESS_H_
