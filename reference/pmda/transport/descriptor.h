// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_DESCRIPTOR_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace pmproof::pmda {

// Owns a file descriptor. Moved, not copied.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) Reset(std::exchange(other.number_, -1));
    return *this;
  }
  ~Descriptor() { Reset(); }

  int get() const { return number_; }
  bool open() const { return number_ >= 0; }
  int Release() { return std::exchange(number_, -1); }
  void Reset(int number = -1) {
    if (number_ >= 0) close(number_);
    number_ = number;
  }

 private:
  int number_ = -1;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_DESCRIPTOR_H_
