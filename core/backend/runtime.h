// ONNX Runtime (or another runtime) behind the worker protocol of app/runtime_worker: a Backend
// whose crashes, hangs and refusals are Errors. After one the worker is gone; the next call starts
// another and loads the models again.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/process.h"

namespace pet {

// How to start the worker: {python, worker.py}. PET_PYTHON and PET_WORKER win; else the worker is
// the worker.py installed with this program or that of the source tree, and Python that of a
// .venv in the installed share/pet/runtime_worker or in the source tree.
Result<std::vector<std::string>> worker_command();

class Runtime final : public Backend {
 public:
  struct Options {
    std::vector<std::string> command{};               // as worker_command() gives it
    std::chrono::milliseconds start_timeout{60'000};  // until it has said hello
    std::chrono::milliseconds timeout{120'000};       // for any one request
    bool by_content = false;  // models and tensors are sent: no folder is shared with the worker
  };

  static Result<std::unique_ptr<Runtime>> start(Options options, const std::stop_token& stop = {});
  ~Runtime() override;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const std::filesystem::path& file, const LoadOptions& options,
                           std::stop_token stop = {}) override;
  void unload(ModelId model) override;
  Result<std::vector<NamedTensor>> run(ModelId model, std::span<const NamedTensor> inputs,
                                       std::stop_token stop = {}) override;
  Result<PairTiming> time_pair(ModelId a, ModelId b, const PairPlan& plan,
                               std::stop_token stop = {}) override;
  Result<std::vector<std::vector<double>>> time_together(std::span<const ModelId> models,
                                                         const PairPlan& plan,
                                                         std::stop_token stop = {}) override;
  Result<OperatorProfile> profile(ModelId model, const ProfilePlan& plan,
                                  std::stop_token stop = {}) override;

 private:
  struct Message;  // a JSON object
  struct Slot {    // a model as the caller knows it, and its handle in the present worker
    std::filesystem::path file;
    LoadOptions options;
    std::optional<std::int64_t> handle;
    bool in_use = true;
  };

  explicit Runtime(Options options) : options_(std::move(options)) {}
  Status ensure_worker(const std::stop_token& stop);
  Result<Message> ask(Message request, const std::stop_token& stop);
  Result<Message> exchange(Message& request, const std::stop_token& stop);
  Result<Message> load_slot(Slot& slot, const std::stop_token& stop);
  Result<std::vector<std::int64_t>> handles_of(std::span<const ModelId> models,
                                               const std::stop_token& stop);
  Result<std::int64_t> handle_of(ModelId model, const std::stop_token& stop);
  void drop_worker();
  Result<std::string> sent_model(const std::filesystem::path& file, const std::stop_token& stop);
  Result<std::string> sent(std::span<const std::byte> bytes, const std::stop_token& stop);
  Result<std::vector<std::byte>> fetched(const std::string& digest, std::size_t size,
                                         const std::stop_token& stop);
  Result<Message> run_with_files(std::int64_t handle, std::span<const NamedTensor> inputs,
                                 const std::filesystem::path& folder, const std::stop_token& stop);
  Result<Message> run_with_blobs(std::int64_t handle, std::span<const NamedTensor> inputs,
                                 const std::stop_token& stop);
  Result<std::vector<NamedTensor>> outputs_by_content(const Message& answer,
                                                      const std::stop_token& stop);

  Options options_;
  BackendInfo info_;
  bool offers_profiles_ = false, offers_rounds_ = false;  // the present worker
  std::optional<ChildProcess> worker_;
  std::vector<Slot> slots_;
  std::set<std::string> sent_;  // digests that the present worker has
  std::uint64_t next_request_ = 1;
};

}  // namespace pet
