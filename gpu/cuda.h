// The Device that is one of NVIDIA.
#pragma once

#include <functional>
#include <string>

#include "gpu/device/device.h"
#include "gpu/device_port.h"

namespace pet::gpu {

// `say` is told what a person should know of it, a sentence at a time.
Result<std::unique_ptr<Device>> cuda_device(
    int number, const CudaOptions& options,
    const std::function<void(const std::string&)>& say = [](const std::string&) {});

}  // namespace pet::gpu
