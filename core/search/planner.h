// What has been measured, and the plans that follow from it: which candidates to put into one file.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/cost/analytic.h"
#include "core/program/split.h"
#include "core/search/choose.h"
#include "core/search/heap.h"
#include "core/search/search.h"

namespace pet {

// A candidate that was timed against the operators in its place.
struct Measured {
  Candidate candidate;
  Comparison comparison;
};

class Planner {
 public:
  // A tensor of this shape, with its axes brought into this order.
  struct Border {
    Shape shape;
    AxisOrder order;
    auto operator<=>(const Border&) const = default;
  };

  // `machine`: by which a transpose is estimated until it is measured. REQUIRES: program and
  // classes outlive this, where they are
  Planner(const Graph& program, const std::vector<SubprogramClass>& classes,
          const MachineModel& machine = {})
      : program_(program), classes_(classes), machine_(machine), measured_(classes.size()) {}

  void add(std::size_t number, Measured measured);
  const std::vector<Measured>& of(std::size_t number) const { return measured_[number]; }
  // Of what was measured of a class, compared with all else that was.
  double saved_ms(std::size_t number, std::size_t index) const;
  // In the median over all comparisons with its candidates; 0 where there are none.
  double original_ms(std::size_t number) const;
  // By one of those measured that keep orders, or of the others; 0 where there are none.
  double most_saved_ms(std::size_t number, bool in_own_orders) const;
  std::size_t places(std::size_t number) const { return classes_[number].places.size(); }
  // So many of those that save something, the best first.
  std::vector<Candidate> best_of(std::size_t number, std::size_t at_most) const;
  void set_cost(Border border, double ms) { borders_[std::move(border)] = ms; }
  // What the runtime saves around a class by layouts of its own: as measured, else as much for a
  // byte of its inputs and outputs as elsewhere.
  double layout_ms(std::size_t number) const;
  void set_layout(std::size_t number, double ms) { layouts_[number] = ms; }
  // A class that a plan takes out of its neighbours' layout without knowing what that costs.
  std::optional<std::size_t> unmeasured_layout() const;

  // A candidate that waits to be measured, and what it is expected to save.
  struct Expected {
    std::size_t number = 0;  // of the class
    const Candidate* candidate = nullptr;
    double saved_ms = 0;
  };
  // The one of them that matters most to what would be the best plan if expectations came true;
  // nothing where that plan holds only what was measured.
  std::optional<std::size_t> wanted(const std::vector<Expected>& waiting) const;

  // One that a plan counts on though nobody has looked at all of its results.
  struct Unchecked {
    std::size_t number = 0;  // of the class
    std::size_t index = 0;   // among its measured ones
  };
  std::optional<Unchecked> unchecked() const;
  void set_checked(const Unchecked& which) {
    measured_[which.number][which.index].candidate.right = Candidate::Right::Everywhere;
  }
  void drop(const Unchecked& which);

  // A transpose that a plan pays for by estimate only.
  std::optional<Border> unmeasured_border() const;
  // As measured, else as estimated.
  double transpose_ms(const Shape& shape, const AxisOrder& order) const;

  // The best in any one other order of axes, the best of candidates that keep orders, and the half
  // of the first that saves most.
  std::vector<Plan> plans() const;

 private:
  enum class Orders { Any, Kept };
  struct Pool {
    std::vector<PlaceAlternatives> places;
    struct Meant {
      std::size_t number = 0;
      // By alternative: among the measured ones of the class; behind them, those that wait.
      std::vector<std::size_t> indices;
    };
    std::vector<Meant> meant;  // by place
  };
  struct Option {
    Alternative made;
    std::size_t index = 0;  // as in Pool::Meant
    double cost = 0;        // analytic
    double original_ms = 0;
  };
  // Of the excerpts that are compared with candidates of that kind.
  double original_ms(std::size_t number, bool in_own_orders) const;
  std::vector<Option> options(std::size_t number, Orders orders,
                              const std::vector<Expected>& waiting) const;
  Pool pool(Orders orders, const std::vector<Expected>& waiting = {}) const;
  Selection select(const Pool& pool) const;
  std::optional<Plan> plan(Orders orders) const;
  double layout_ms_per_byte() const;

  const Graph& program_;
  const std::vector<SubprogramClass>& classes_;
  const MachineModel machine_;
  std::vector<std::vector<Measured>> measured_;
  std::map<Border, double> borders_;
  std::map<std::size_t, double> layouts_;
};

}  // namespace pet
