// A device of NVIDIA: its context, one stream, the handles of the libraries, memory.
#pragma once

#include <memory>
#include <string>

#include "gpu/device/clocks.h"
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
  // `taken` counts the bytes of all that is not given back.
  Allocation(const Libraries& lib, Address address, std::size_t bytes,
             std::shared_ptr<std::size_t> taken)
      : lib_(&lib), address_(address), bytes_(bytes), taken_(std::move(taken)) {
    *taken_ += bytes_;
  }
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
    std::swap(taken_, other.taken_);
  }
  const Libraries* lib_ = nullptr;
  Address address_ = 0;
  std::size_t bytes_ = 0;
  std::shared_ptr<std::size_t> taken_;
};

struct CudaOptions {
  Precision precision = Precision::Fp32;
  Tuning tuning = Tuning::Quick;
  std::size_t memory = 0;  // bytes that are taken at most; 0: four fifths of what is free
};

class CudaDevice {
 public:
  // An Error says what is missing: libraries, a driver, a device.
  static Result<std::unique_ptr<CudaDevice>> open(int number, const CudaOptions& options);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  const Libraries& lib() const { return lib_; }
  const DeviceFacts& facts() const { return facts_; }
  int number() const { return number_; }
  Precision precision() const { return options_.precision; }
  Tuning tuning() const { return options_.tuning; }
  std::size_t memory() const { return options_.memory; }  // bytes that are taken at most
  std::optional<DeviceClocks> clocks() const { return clocks_->now(); }
  // After an error of its own nothing succeeds on it in this process.
  bool is_lost() const { return lib_.cuCtxSynchronize() != 0; }
  Stream stream() const { return stream_; }
  DnnHandle dnn() const { return dnn_; }
  BlasHandle blas() const { return blas_; }
  // For lowering: which convolutions have no engine here. REQUIRES: this outlives it
  ConvolutionRefusal refusal() const { return refusal_of(lib_, {dnn_}, options_.precision); }

  // An Error names the bytes needed and those that are free.
  Result<Allocation> allocate(std::size_t bytes) const;
  Status upload(Address to, const void* from, std::size_t bytes) const;
  Status download(void* to, Address from, std::size_t bytes) const;
  Status wait() const;

 private:
  CudaDevice(const Libraries& lib, const CudaOptions& options) : lib_(lib), options_(options) {}
  Status start(int number);
  Status read_facts();

  const Libraries& lib_;
  CudaOptions options_;
  std::optional<Clocks> clocks_;
  std::shared_ptr<std::size_t> taken_ = std::make_shared<std::size_t>(0);  // bytes
  int number_ = 0;                                                         // as it was asked for
  int device_ = 0;                                                         // as the driver has it
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
