// What NVIDIA's management library says of a device while it works. Read, never set; where it is
// not installed nothing is said.
#pragma once

#include <optional>
#include <string>

#include "core/backend/profiler.h"

namespace pet::gpu {

class Clocks {
 public:
  // By the device's place on the bus, as the driver writes it.
  explicit Clocks(const std::string& bus_id);
  // At this moment.
  std::optional<DeviceClocks> now() const;

 private:
  int (*clock_)(void*, int, unsigned*) = nullptr;
  int (*reasons_)(void*, unsigned long long*) = nullptr;
  int (*processes_)(void*, unsigned*, void*) = nullptr;
  void* device_ = nullptr;
};

}  // namespace pet::gpu
