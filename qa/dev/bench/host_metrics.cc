// SPDX-License-Identifier: Apache-2.0
// The metrics of the made-up host. Names are like those of PCP's agents; numbers are given by
// position.

#include <array>

#include "qa/dev/bench/host.h"

namespace pmproof::bench {
namespace {

constexpr std::uint32_t kNone = 0;
constexpr std::uint32_t kCount = 0x00100000;
constexpr std::uint32_t kByte = 0x10000000;
constexpr std::uint32_t kKbyte = 0x10010000;
constexpr std::uint32_t kNsec = 0x01000000;
constexpr std::uint32_t kMsec = 0x01002000;
constexpr std::uint32_t kSec = 0x01003000;

constexpr HostMetric Counter(const char* name, Scope scope, MetricType type, std::uint32_t units,
                             std::uint32_t spread) {
  return {name, scope, type, Semantics::kCounter, units, spread};
}

constexpr HostMetric Instant(const char* name, Scope scope, MetricType type, std::uint32_t units,
                             std::uint32_t spread) {
  return {name, scope, type, Semantics::kInstant, units, spread};
}

constexpr HostMetric Text(const char* name, Scope scope) {
  return {name, scope, MetricType::kString, Semantics::kDiscrete, kNone, 0};
}

constexpr auto k32 = MetricType::k32;
constexpr auto kU32 = MetricType::kU32;
constexpr auto k64 = MetricType::k64;
constexpr auto kU64 = MetricType::kU64;
constexpr auto kFloat = MetricType::kFloat;
constexpr auto kDouble = MetricType::kDouble;

constexpr HostMetric kMetrics[] = {
    Counter("kernel.all.cpu.user", Scope::kHost, kU64, kMsec, 0x3fff),
    Counter("kernel.all.cpu.sys", Scope::kHost, kU64, kMsec, 0x1fff),
    Counter("kernel.all.cpu.nice", Scope::kHost, kU64, kMsec, 0xf),
    Counter("kernel.all.cpu.idle", Scope::kHost, kU64, kMsec, 0xffff),
    Counter("kernel.all.cpu.wait.total", Scope::kHost, kU64, kMsec, 0xff),
    Counter("kernel.all.cpu.steal", Scope::kHost, kU64, kMsec, 0xf),
    Counter("kernel.all.intr", Scope::kHost, kU64, kCount, 0xfffff),
    Counter("kernel.all.pswitch", Scope::kHost, kU64, kCount, 0xfffff),
    Counter("mem.vmstat.pgfault", Scope::kHost, kU64, kCount, 0xfffff),
    Counter("mem.vmstat.pgmajfault", Scope::kHost, kU64, kCount, 0xf),
    Counter("network.tcp.activeopens", Scope::kHost, kU32, kCount, 0x1f),
    Counter("network.tcp.passiveopens", Scope::kHost, kU32, kCount, 0x1f),
    Counter("network.tcp.insegs", Scope::kHost, kU32, kCount, 0x3ff),
    Counter("network.tcp.outsegs", Scope::kHost, kU32, kCount, 0x3ff),
    Counter("network.tcp.retranssegs", Scope::kHost, kU32, kCount, 0x3),
    Counter("network.udp.indatagrams", Scope::kHost, kU32, kCount, 0xff),
    Counter("network.udp.outdatagrams", Scope::kHost, kU32, kCount, 0xff),
    Counter("swap.pagesin", Scope::kHost, kU32, kCount, 0x1),
    Counter("swap.pagesout", Scope::kHost, kU32, kCount, 0x1),
    Instant("mem.util.used", Scope::kHost, kU64, kKbyte, 0xffff),
    Instant("mem.util.free", Scope::kHost, kU64, kKbyte, 0xffff),
    Instant("mem.util.cached", Scope::kHost, kU64, kKbyte, 0xffff),
    Instant("mem.util.slab", Scope::kHost, kU64, kKbyte, 0xfff),
    Instant("mem.freebalance", Scope::kHost, k64, kKbyte, 0xfff),
    Instant("kernel.all.nprocs", Scope::kHost, kU32, kNone, 0x1f),
    Instant("kernel.all.nusers", Scope::kHost, kU32, kNone, 0x3),
    Instant("kernel.all.runnable", Scope::kHost, k32, kNone, 0xf),
    Instant("network.tcp.currestab", Scope::kHost, kU32, kCount, 0x3f),
    Instant("kernel.all.pressure.cpu.avg", Scope::kHost, kDouble, kNone, 0x3ff),
    Instant("kernel.all.pressure.io.avg", Scope::kHost, kDouble, kNone, 0x3ff),
    Instant("kernel.all.uptime", Scope::kHost, kDouble, kSec, 0x3ff),
    Text("kernel.uname.release", Scope::kHost),
    Text("kernel.uname.nodename", Scope::kHost),
    Instant("kernel.all.load", Scope::kLoad, kFloat, kNone, 0x3ff),
    Counter("kernel.percpu.cpu.user", Scope::kCpu, kU64, kMsec, 0xfff),
    Counter("kernel.percpu.cpu.sys", Scope::kCpu, kU64, kMsec, 0xfff),
    Counter("kernel.percpu.cpu.nice", Scope::kCpu, kU64, kMsec, 0xf),
    Counter("kernel.percpu.cpu.idle", Scope::kCpu, kU64, kMsec, 0x1fff),
    Counter("kernel.percpu.cpu.wait.total", Scope::kCpu, kU64, kMsec, 0x3f),
    Counter("kernel.percpu.intr", Scope::kCpu, kU64, kCount, 0xffff),
    Instant("hinv.cpu.clock", Scope::kCpu, kFloat, kNone, 0x3ff),
    Counter("disk.dev.read", Scope::kDisk, kU64, kCount, 0xff),
    Counter("disk.dev.write", Scope::kDisk, kU64, kCount, 0x3ff),
    Counter("disk.dev.read_bytes", Scope::kDisk, kU64, kByte, 0xfffff),
    Counter("disk.dev.write_bytes", Scope::kDisk, kU64, kByte, 0xffffff),
    Counter("disk.dev.avactive", Scope::kDisk, kU64, kMsec, 0x1fff),
    Counter("disk.dev.aveq", Scope::kDisk, kU64, kMsec, 0xffff),
    Instant("disk.dev.inflight", Scope::kDisk, kU32, kNone, 0x7),
    Counter("proc.psinfo.utime", Scope::kProcess, kU64, kMsec, 0x3ff),
    Counter("proc.psinfo.stime", Scope::kProcess, kU64, kMsec, 0x1ff),
    Counter("proc.psinfo.minflt", Scope::kProcess, kU32, kCount, 0xff),
    Counter("proc.psinfo.majflt", Scope::kProcess, kU32, kCount, 0x1),
    Counter("proc.io.rchar", Scope::kProcess, kU64, kByte, 0xffff),
    Counter("proc.io.wchar", Scope::kProcess, kU64, kByte, 0xffff),
    Counter("proc.io.read_bytes", Scope::kProcess, kU64, kByte, 0xffff),
    Counter("proc.io.write_bytes", Scope::kProcess, kU64, kByte, 0xfffff),
    Counter("proc.schedstat.cpu_time", Scope::kProcess, kU64, kNsec, 0xffffff),
    Counter("proc.schedstat.run_delay", Scope::kProcess, kU64, kNsec, 0xffffff),
    Instant("proc.memory.size", Scope::kProcess, kU32, kKbyte, 0xfff),
    Instant("proc.memory.rss", Scope::kProcess, kU32, kKbyte, 0xfff),
    Instant("proc.psinfo.threads", Scope::kProcess, kU32, kNone, 0x7),
    Text("proc.psinfo.sname", Scope::kProcess),
};

}  // namespace

std::span<const HostMetric> HostMetrics() { return kMetrics; }

}  // namespace pmproof::bench
