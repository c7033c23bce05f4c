// The Device that is one of NVIDIA.
#pragma once

#include "gpu/device/device.h"
#include "gpu/device_port.h"

namespace pet::gpu {

Result<std::unique_ptr<Device>> cuda_device(int number, const CudaOptions& options);

}  // namespace pet::gpu
