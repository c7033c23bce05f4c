// The port behind which integer linear programs are solved (core/backend/highs.h has the solver).
#pragma once

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/util/digest.h"
#include "core/util/result.h"

namespace pet::egraph {

// Minimise Σ cost · column, bounds and rows kept.
struct IlpModel {
  struct Column {
    double cost = 0, lower = 0, upper = 1;
    bool is_integer = true;
  };
  struct Row {
    std::vector<std::pair<std::size_t, double>> entries;  // column, factor
    double lower = 0, upper = 0;                          // infinite: no end
  };
  std::vector<Column> columns;
  std::vector<Row> rows;
};

Digest digest_of(const IlpModel& model);

struct IlpLimits {
  double seconds = 60;
  std::uint64_t seed = 1;
};

enum class IlpEnd { Optimal, OutOfTime };
std::string_view to_string(IlpEnd end);

struct IlpAnswer {
  IlpEnd end = IlpEnd::OutOfTime;
  std::vector<double> values;  // by column; empty: none was found
  double bound = 0;            // no solution costs less
  double seconds = 0;
};

class IlpSolver {
 public:
  virtual ~IlpSolver() = default;
  // `start`: by column, a solution to begin with, or empty. An Error where there is no solver, or
  // where it dies, hangs or answers nonsense. What it answers is not looked at: whoever asks does.
  virtual Result<IlpAnswer> solve(const IlpModel& model, const std::vector<double>& start,
                                  const IlpLimits& limits, std::stop_token stop) = 0;
};

}  // namespace pet::egraph
