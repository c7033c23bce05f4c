#include "gpu/device/clocks.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

#include "gpu/device/libraries.h"

namespace pet::gpu {
namespace {

constexpr int kMultiprocessors = 1;  // whose clock is asked for
constexpr unsigned kMostProcesses = 64;
constexpr std::size_t kBytesAProcess = 24;
// Reasons for a lower clock: power cap, slowdown by the hardware, heat (two kinds), power brake.
constexpr unsigned long long kThrottling = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

template <class Pointer>
bool find(void* library, const char* name, Pointer& pointer) {
  pointer = reinterpret_cast<Pointer>(dlsym(library, name));
  return pointer != nullptr;
}

}  // namespace

Clocks::Clocks(const std::string& bus_id) {
  std::string why_not;
  void* library = open_library("libnvidia-ml.so.1", why_not);
  if (library == nullptr) return;
  int (*start)() = nullptr;
  int (*open)(const char*, void**) = nullptr;
  const bool is_whole = find(library, "nvmlInit_v2", start) &&
                        find(library, "nvmlDeviceGetHandleByPciBusId_v2", open) &&
                        find(library, "nvmlDeviceGetClockInfo", clock_) &&
                        find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", reasons_) &&
                        find(library, "nvmlDeviceGetComputeRunningProcesses_v3", processes_);
  if (!is_whole || start() != 0 || open(bus_id.c_str(), &device_) != 0) device_ = nullptr;
}

std::optional<DeviceClocks> Clocks::now() const {
  if (device_ == nullptr) return std::nullopt;
  unsigned mhz = 0, processes = kMostProcesses;
  unsigned long long reasons = 0;
  std::array<std::byte, kMostProcesses * kBytesAProcess> ignored{};
  if (clock_(device_, kMultiprocessors, &mhz) != 0 || reasons_(device_, &reasons) != 0)
    return std::nullopt;
  // One of them is this one, under a number that a container may not know.
  const bool counted = processes_(device_, &processes, ignored.data()) == 0;
  const int clock = static_cast<int>(mhz);
  return DeviceClocks{.lowest_mhz = clock,
                      .highest_mhz = clock,
                      .throttled = (reasons & kThrottling) != 0,
                      .others = counted ? std::max(0, static_cast<int>(processes) - 1) : 0};
}

}  // namespace pet::gpu
