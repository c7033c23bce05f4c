#include "app/common/profiled_target.h"

#include <fmt/format.h>

#include "app/common/command_line.h"
#include "core/backend/cached_profiler.h"
#include "core/ir/structure.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

// Computes by another one, and is called what the profile's device is called.
class InItsPlace final : public Backend {
 public:
  InItsPlace(std::unique_ptr<Backend> inner, BackendInfo info)
      : inner_(std::move(inner)), info_(std::move(info)) {}

  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const std::filesystem::path& file, const LoadOptions& options,
                           std::stop_token stop) override {
    return inner_->load(file, options, std::move(stop));
  }
  void unload(ModelId model) override { inner_->unload(model); }
  Result<std::vector<NamedTensor>> run(ModelId model, std::span<const NamedTensor> inputs,
                                       std::stop_token stop) override {
    return inner_->run(model, inputs, std::move(stop));
  }
  Result<PairTiming> time_pair(ModelId a, ModelId b, const PairPlan& plan,
                               std::stop_token stop) override {
    return inner_->time_pair(a, b, plan, std::move(stop));
  }
  Result<std::vector<std::vector<double>>> time_together(std::span<const ModelId> models,
                                                         const PairPlan& plan,
                                                         std::stop_token stop) override {
    return inner_->time_together(models, plan, std::move(stop));
  }

 private:
  std::unique_ptr<Backend> inner_;
  BackendInfo info_;
};

}  // namespace

Result<ProfiledTarget> ProfiledTarget::start(const TargetFlags& flags, const std::string& profile,
                                             const std::stop_token& stop) {
  ProfiledTarget out;
  auto target = start_target(flags, stop);
  if (profile.empty()) {
    if (!target) return std::move(target).error();
    out.target_ = *std::move(target);
    return out;
  }
  auto stored = StoredProfile::read(profile, target.ok());
  if (!stored) return std::move(stored).error();
  if (stored->skipped() > 0)
    say(fmt::format("pet: {}: {} lines are broken and left out\n", printable(profile),
                    stored->skipped()));
  out.profile_ = std::make_unique<StoredProfile>(*std::move(stored));
  if (target) {
    out.target_ = *std::move(target);
    if (auto same = out.profile_->check_source(out.backend().info()); !same)
      return std::move(same).error();
    return out;
  }
  const auto& source = out.profile_->source();
  const bool may_be_replaced = flags.name == "cuda" && flags.worker.empty() && source &&
                               target.error().kind == ErrorKind::Tool;
  if (!may_be_replaced) return std::move(target).error();
  const bool is_tf32 = flags.precision == "tf32";
  if (const BackendInfo asked{
          .name = is_tf32 ? "cuda tf32" : "cuda", .version = {}, .device = source->device};
      !flags.precision.empty()) {
    if (auto same = out.profile_->check_source(asked); !same) return std::move(same).error();
  }
  auto emulated = start_emulated(stop);
  if (!emulated) return std::move(emulated).error();
  out.why_no_device_ = fmt::format("there is no device to ask: {}", target.error().message);
  out.target_ = *std::move(emulated);
  out.target_.backend = std::make_unique<InItsPlace>(std::move(out.target_.backend), *source);
  return out;
}

Result<ProfiledTarget> ProfiledTarget::start_after(const TargetFlags& flags,
                                                   const BackendInfo& measured_in,
                                                   const std::stop_token& stop) {
  ProfiledTarget out;
  auto target = start_target(flags, stop);
  if (!target && target.error().kind == ErrorKind::Tool)
    target = flags.name == "cuda" ? start_emulated(stop) : start_target("reference", stop);
  if (!target) return std::move(target).error();
  out.target_ = *std::move(target);
  const BackendInfo& here = out.backend().info();
  const bool is_the_same = here.name == measured_in.name && here.device == measured_in.device &&
                           here.version == measured_in.version;
  if (is_the_same) return out;
  out.why_no_device_ = fmt::format("{} on {} is not here", measured_in.name, measured_in.device);
  out.target_.backend = std::make_unique<InItsPlace>(std::move(out.target_.backend), measured_in);
  return out;
}

std::unique_ptr<Profiler> ProfiledTarget::through_profile(
    std::unique_ptr<Profiler> live, const MeasuringProfiler::Options& options) const {
  if (!has_profile()) return live;
  const BackendInfo& by = backend().info();
  return std::make_unique<StoredProfiler>(
      *profile_, std::move(live),
      StoredProfiler::Options{.read = {.dimensions = options.load.dimensions},
                              .rule = rule_in_words(options),
                              .threads = by.threads == 0 ? 0 : options.load.threads,
                              .by = by,
                              .why_not_live = why_no_device_});
}

std::vector<double> ProfiledTarget::times_of(const Model& model) const {
  return profile_->times_of(structure_text(model.graph));
}

Status ProfiledTarget::complete() const {
  if (!has_profile() || has_device() || profile_->missing() == 0) return Done{};
  return Error{profile_->missing_in_words() + "; " + why_no_device_, ErrorKind::Tool};
}

void add_profile_option(CLI::App& command, std::string& profile) {
  command.add_option("--profile", profile,
                     "a file of comparisons: what is in it is not measured again, and what is "
                     "measured is added to it; where the GPU is elsewhere, it has the times");
}

}  // namespace pet::app
