// A target whose times come from a stored profile (core/backend/stored_profile.h) or were taken
// before, with or without the device that they are of.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/common/target.h"
#include "core/backend/stored_profile.h"

namespace pet::app {

class ProfiledTarget {
 public:
  // Without a file: the target as it is. With one: where a GPU is asked for and none is there, an
  // emulated one that computes, and the profile has the times. An Error of kind Usage: the profile
  // is of another device or precision.
  static Result<ProfiledTarget> start(const TargetFlags& flags, const std::string& profile,
                                      const std::stop_token& stop);

  // What was measured in `measured_in` is gone on with: there where the target is that, else in
  // what can compute here, under its name and without times.
  static Result<ProfiledTarget> start_after(const TargetFlags& flags,
                                            const BackendInfo& measured_in,
                                            const std::stop_token& stop);

  Backend& backend() const { return *target_.backend; }
  const std::vector<std::string>& command() const { return target_.command; }
  bool has_profile() const { return profile_ != nullptr; }
  bool has_device() const { return why_no_device_.empty(); }

  // `live`, asked only for what the profile does not know, and only where there is a device.
  // REQUIRES: this outlives it
  std::unique_ptr<Profiler> through_profile(std::unique_ptr<Profiler> live,
                                            const MeasuringProfiler::Options& options) const;
  std::size_t answered() const { return profile_ ? profile_->answered() : 0; }
  // Of the program by itself, as far as the profile knows it. REQUIRES: has_profile()
  std::vector<double> times_of(const Model& model) const;

  // Comparisons that were asked for and are nowhere; an Error says how many there are.
  Status complete() const;

 private:
  Target target_;
  std::unique_ptr<StoredProfile> profile_;  // where it stays: profilers refer to it
  std::string why_no_device_;
};

void add_profile_option(CLI::App& command, std::string& profile);

}  // namespace pet::app
