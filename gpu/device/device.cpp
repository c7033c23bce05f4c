#include "gpu/device/device.h"

#include <fmt/format.h>

#include <cstdlib>

namespace pet::gpu {
namespace {

constexpr int kAttributeMajor = 75;
constexpr int kAttributeMinor = 76;
constexpr int kAttributeL2 = 38;

struct Property {
  const char* name;  // as cuDNN's JSON has it
  int attribute;     // as the driver has it
};
constexpr std::array kProperties = {Property{"regsPerBlock", 12},
                                    Property{"multiProcessorCount", 16},
                                    Property{"warpSize", 10},
                                    Property{"maxSharedMemoryPerBlock", 8},
                                    Property{"maxSharedMemoryPerBlockOptin", 97},
                                    Property{"reservedSharedMemoryPerBlock", 111},
                                    Property{"maxRegistersPerSM", 82},
                                    Property{"maxCtasPerSM", 106},
                                    Property{"maxThreadsPerBlock", 1},
                                    Property{"maxThreadsPerSM", 39},
                                    Property{"pciDeviceId", 34},
                                    Property{"isTccDriver", 35},
                                    Property{"supportCoopLaunch", 95},
                                    Property{"smClockRateKHz", 13},
                                    Property{"memClockRateKHz", 36},
                                    Property{"l2CacheSize", kAttributeL2}};

}  // namespace

Allocation::~Allocation() {
  if (address_ == 0) return;
  lib_->cuMemFree_v2(address_);
  *taken_ -= bytes_;
}

Result<std::unique_ptr<CudaDevice>> CudaDevice::open(int number, const CudaOptions& options) {
  // Read by libraries when they are loaded: none may use TensorFloat-32 of its own accord.
  if (options.precision == Precision::Fp32) setenv("NVIDIA_TF32_OVERRIDE", "0", 0);
  const Libraries& lib = libraries();
  if (auto status = lib.complete(); !status) return std::move(status).error();
  std::unique_ptr<CudaDevice> out(new CudaDevice(lib, options));
  if (auto status = out->start(number); !status) return std::move(status).error();
  return out;
}

Status CudaDevice::start(int number) {
  number_ = number;
  PET_DRIVER(lib_, cuInit(0), "starting CUDA");
  int count = 0;
  PET_DRIVER(lib_, cuDeviceGetCount(&count), "counting devices");
  if (number >= count)
    return Error{fmt::format("there is no device {}: CUDA knows {}", number, count),
                 ErrorKind::Tool};
  PET_DRIVER(lib_, cuDeviceGet(&device_, number), "opening the device");
  PET_DRIVER(lib_, cuDevicePrimaryCtxRetain(&context_, device_), "making its context");
  PET_DRIVER(lib_, cuCtxSetCurrent(context_), "entering its context");
  constexpr unsigned kApartFromTheDefault = 1;
  PET_DRIVER(lib_, cuStreamCreate(&stream_, kApartFromTheDefault), "making a stream");
  if (const int code = lib_.cudnnCreate(&dnn_); code != 0)
    return Error{fmt::format("starting cuDNN: {}", lib_.cudnnGetErrorString(code)),
                 ErrorKind::Tool};
  lib_.cudnnSetStream(dnn_, stream_);
  if (const int code = lib_.cublasLtCreate(&blas_); code != 0)
    return Error{fmt::format("starting cuBLASLt: {}", lib_.cublasLtGetStatusString(code)),
                 ErrorKind::Tool};
  std::array<char, 64> bus{};
  PET_DRIVER(lib_, cuDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device_),
             "its place");
  clocks_.emplace(bus.data());
  if (options_.memory == 0) {
    std::size_t free = 0, total = 0;
    PET_DRIVER(lib_, cuMemGetInfo_v2(&free, &total), "reading what memory is free");
    options_.memory = free / 5 * 4;
  }
  return read_facts();
}

Status CudaDevice::read_facts() {
  std::array<char, 256> name{};
  PET_DRIVER(lib_, cuDeviceGetName(name.data(), static_cast<int>(name.size()), device_),
             "its name");
  facts_.name = name.data();
  PET_DRIVER(lib_, cuDriverGetVersion(&facts_.driver), "the driver's version");
  PET_DRIVER(lib_, cuDeviceTotalMem_v2(&facts_.memory, device_), "its memory");
  const auto attribute = [&](int which) {
    int value = 0;
    lib_.cuDeviceGetAttribute(&value, which, device_);
    return value;
  };
  facts_.architecture = attribute(kAttributeMajor) * 10 + attribute(kAttributeMinor);
  facts_.l2_cache = static_cast<std::size_t>(attribute(kAttributeL2));
  std::string json = fmt::format(
      "{{\"cudaDeviceId\":{},\"deviceVer\":{},\"driverVer\":{},\"maxGridSize\":[{},{},{}],"
      "\"maxBlockSize\":[{},{},{}]",
      device_, facts_.architecture * 10, facts_.driver, attribute(5), attribute(6), attribute(7),
      attribute(2), attribute(3), attribute(4));
  for (const Property& property : kProperties)
    json += fmt::format(",\"{}\":{}", property.name, attribute(property.attribute));
  facts_.description = json + fmt::format(
                                  ",\"deviceName\":\"{}\",\"totalGlobalMem\":{},"
                                  "\"cudnn_version\":{}}}",
                                  facts_.name, facts_.memory, lib_.cudnnGetVersion());
  int major = 0, minor = 0;
  lib_.nvrtcVersion(&major, &minor);
  facts_.libraries = fmt::format("cuDNN {}, cuBLASLt {}, NVRTC {}.{}", lib_.cudnnGetVersion(),
                                 lib_.cublasLtGetVersion(), major, minor);
  return Done{};
}

CudaDevice::~CudaDevice() {
  if (blas_ != nullptr) lib_.cublasLtDestroy(blas_);
  if (dnn_ != nullptr) lib_.cudnnDestroy(dnn_);
  if (stream_ != nullptr) lib_.cuStreamDestroy_v2(stream_);
  if (context_ != nullptr) lib_.cuDevicePrimaryCtxRelease_v2(device_);
}

Result<Allocation> CudaDevice::allocate(std::size_t bytes) const {
  if (bytes == 0) return Allocation();
  Address address = 0;
  const bool is_allowed = bytes <= options_.memory && *taken_ <= options_.memory - bytes;
  if (is_allowed && lib_.cuMemAlloc_v2(&address, bytes) == 0)
    return Allocation(lib_, address, bytes, taken_);
  std::size_t free = 0, total = 0;
  lib_.cuMemGetInfo_v2(&free, &total);
  return Error{
      fmt::format("out of memory on {}: {} bytes are needed beside the {} that are taken, {} of {} "
                  "are free and {} allowed (--memory)",
                  facts_.name, bytes, *taken_, free, total, options_.memory),
      ErrorKind::Unsupported};
}

Status CudaDevice::upload(Address to, const void* from, std::size_t bytes) const {
  if (bytes > 0) PET_DRIVER(lib_, cuMemcpyHtoD_v2(to, from, bytes), "copying to the device");
  return Done{};
}

Status CudaDevice::download(void* to, Address from, std::size_t bytes) const {
  if (bytes > 0) PET_DRIVER(lib_, cuMemcpyDtoH_v2(to, from, bytes), "copying from the device");
  return Done{};
}

Status CudaDevice::wait() const {
  PET_DRIVER(lib_, cuStreamSynchronize(stream_), "running on the device");
  return Done{};
}

Stopwatch::Stopwatch(const CudaDevice& device) : device_(device) {
  device_.lib().cuEventCreate(&begin_, 0);
  device_.lib().cuEventCreate(&end_, 0);
}

Stopwatch::~Stopwatch() {
  if (begin_ != nullptr) device_.lib().cuEventDestroy_v2(begin_);
  if (end_ != nullptr) device_.lib().cuEventDestroy_v2(end_);
}

Status Stopwatch::start() {
  PET_DRIVER(device_.lib(), cuEventRecord(begin_, device_.stream()), "starting a clock");
  return Done{};
}

Result<double> Stopwatch::stop_ms() {
  const Libraries& lib = device_.lib();
  PET_DRIVER(lib, cuEventRecord(end_, device_.stream()), "stopping a clock");
  PET_DRIVER(lib, cuEventSynchronize(end_), "waiting for a clock");
  float ms = 0;
  PET_DRIVER(lib, cuEventElapsedTime(&ms, begin_, end_), "reading a clock");
  return double{ms};
}

}  // namespace pet::gpu
