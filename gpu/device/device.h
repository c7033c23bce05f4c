// A device of NVIDIA: its context, one stream, the handles of the libraries, memory.
#pragma once

#include <memory>
#include <string>

#include "gpu/device/convolutions.h"
#include "gpu/device/libraries.h"

namespace pet::gpu {

struct DeviceFacts {
  std::string name;
  int architecture = 0;  // 90: compute capability 9.0
  int driver = 0;        // 13000: 13.0
  std::size_t memory = 0;
  std::size_t l2_cache = 0;
  std::string description;  // JSON, as cuDNN takes it
  std::string libraries;    // their versions, in words
};

// Memory on a device, given back at its end.
class Allocation {
 public:
  Allocation() = default;
  Allocation(const Libraries& lib, Address address, std::size_t bytes)
      : lib_(&lib), address_(address), bytes_(bytes) {}
  Allocation(Allocation&& other) noexcept { swap(other); }
  Allocation& operator=(Allocation&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Allocation();
  Address address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void swap(Allocation& other) noexcept {
    std::swap(lib_, other.lib_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
  }
  const Libraries* lib_ = nullptr;
  Address address_ = 0;
  std::size_t bytes_ = 0;
};

class CudaDevice {
 public:
  // An Error says what is missing: libraries, a driver, a device.
  static Result<std::unique_ptr<CudaDevice>> open(int number, Precision precision);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  const Libraries& lib() const { return lib_; }
  const DeviceFacts& facts() const { return facts_; }
  Precision precision() const { return precision_; }
  Stream stream() const { return stream_; }
  DnnHandle dnn() const { return dnn_; }
  BlasHandle blas() const { return blas_; }
  // For lowering: which convolutions have no engine here. REQUIRES: this outlives it
  ConvolutionRefusal refusal() const { return refusal_of(lib_, {dnn_}, precision_); }

  // An Error names the bytes needed and those that are free.
  Result<Allocation> allocate(std::size_t bytes) const;
  Status upload(Address to, const void* from, std::size_t bytes) const;
  Status download(void* to, Address from, std::size_t bytes) const;
  Status wait() const;

 private:
  CudaDevice(const Libraries& lib, Precision precision) : lib_(lib), precision_(precision) {}
  Status start(int number);
  Status read_facts();

  const Libraries& lib_;
  Precision precision_;
  int device_ = 0;
  Context context_ = nullptr;
  Stream stream_ = nullptr;
  DnnHandle dnn_ = nullptr;
  BlasHandle blas_ = nullptr;
  DeviceFacts facts_;
};

// Measures the time between two places in a stream.
class Stopwatch {
 public:
  explicit Stopwatch(const CudaDevice& device);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  Status start();
  Result<double> stop_ms();  // waits

 private:
  const CudaDevice& device_;
  Event begin_ = nullptr, end_ = nullptr;
};

}  // namespace pet::gpu
