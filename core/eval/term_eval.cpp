#include "core/eval/term_eval.h"

#include <algorithm>
#include <array>

#include "core/eval/contraction.h"
#include "core/eval/loop_run.h"
#include "core/eval/product_side.h"
#include "core/util/parallel.h"

namespace pet {
namespace {

static_assert(kBlockColumns % kPanelColumns == 0);

constexpr std::size_t kLinesAtOnce = 4096;  // between two looks at whether to stop
constexpr std::size_t kWorkPerThread =
    1 << 16;  // below that many multiply-adds a second thread costs more than it helps

template <class Ring>
Result<RingCoef<typename Ring::Element>> ring_coef(const Ring& ring, const TermPlan& plan) {
  const Error divides{"a prime divides a coefficient's denominator", ErrorKind::Tool};
  RingCoef<typename Ring::Element> out;
  if (plan.scale == 1 && plan.tables.empty()) {
    out.scale.assign(ring.lanes(), 1);
    out.tables.resize(ring.lanes());
    return out;
  }
  for (std::size_t lane = 0; lane < ring.lanes(); ++lane) {
    if (Ring::kLanesAreAlike && lane > 0) {
      out.scale.push_back(out.scale.front());
      out.tables.push_back(out.tables.front());
      continue;
    }
    const auto scale = ring.constant(lane, plan.scale);
    if (!scale) return divides;
    out.scale.push_back(*scale);
    out.tables.emplace_back();
    for (const AxisTable& table : plan.tables) {
      out.tables.back().emplace_back();
      for (const Rational& x : table.values) {
        const auto value = ring.constant(lane, x);
        if (!value) return divides;
        out.tables.back().back().push_back(*value);
      }
    }
  }
  return out;
}

template <class Ring>
class ProductRun {
  using E = typename Ring::Element;

 public:
  ProductRun(const Ring& ring, const TermPlan& plan, const ContractionPlan& how,
             const RingCoef<E>& coef, std::span<const TensorOf<Ring>* const> operands,
             TensorOf<Ring>& out, const std::stop_token& stop)
      : ring_(ring),
        plan_(plan),
        how_(how),
        stop_(stop),
        coef_(coef),
        out_(out),
        rows_(plan, plan.reads[how.row_read], how.row_guards, how.rows, how.depth, how.batch),
        columns_(plan, plan.reads[how.column_read], how.column_guards, how.columns, how.depth,
                 how.batch),
        row_source_(*operands[static_cast<std::size_t>(plan.reads[how.row_read].operand)]),
        column_source_(*operands[static_cast<std::size_t>(plan.reads[how.column_read].operand)]),
        row_out_(flattened(plan.out_offset, plan, how.rows)),
        column_out_(flattened(plan.out_offset, plan, how.columns)) {
    const std::vector<Dim>& lines = columns_.line_offsets();
    for (std::size_t i = 0; i < lines.size(); i += kPanelColumns) {
      const std::size_t width = std::min(kPanelColumns, lines.size() - i);
      column_runs_.push_back(width == kPanelColumns && is_run(lines.data() + i, width) ? 1 : 0);
    }
  }

  void run(std::size_t threads) {
    const std::size_t lanes = ring_.lanes();
    const std::size_t blocks = (how_.columns.size + kBlockColumns - 1) / kBlockColumns;
    const std::size_t work =
        how_.rows.size * how_.columns.size * how_.depth.size * how_.batch.size * lanes;
    const std::size_t used = std::clamp<std::size_t>(work / kWorkPerThread, 1, threads);
    if (how_.batch.size * blocks >= used) {
      parallel_for(used, used, [&](std::size_t part) {
        const std::size_t all = how_.batch.size * blocks;
        run_blocks(part * all / used, (part + 1) * all / used, blocks, 0, lanes);
      });
    } else {  // few blocks: share out the lanes, together those that read the same
      const std::size_t groups = column_source_.are_alike() ? std::min(used, lanes) : lanes;
      parallel_for(groups, used, [&](std::size_t group) {
        run_blocks(0, how_.batch.size * blocks, blocks, group * lanes / groups,
                   (group + 1) * lanes / groups);
      });
    }
  }

 private:
  struct Workspace {
    std::vector<PackedRows<E>> rows;  // by lane
    PackedColumns<E> columns;
    std::vector<Dim> offsets;
    std::vector<char> runs;
    std::vector<std::vector<E>> products;  // by lane
  };

  void run_blocks(std::size_t first, std::size_t last, std::size_t blocks, std::size_t first_lane,
                  std::size_t last_lane) {
    Workspace space;
    space.rows.resize(ring_.lanes());
    space.products.resize(ring_.lanes());
    std::size_t packed_batch = SIZE_MAX;
    std::vector<Dim> at(how_.batch.loops.size(), 0);
    for (std::size_t number = first; number < last; ++number) {
      if (stop_.stop_requested()) return;
      const std::size_t batch = number / blocks;
      if (batch != packed_batch) {
        set_position(batch, at);
        pack_rows(rows_.at(at), space, first_lane, last_lane);
        packed_batch = batch;
      }
      const std::size_t column = number % blocks * kBlockColumns;
      multiply(columns_.at(at), column, std::min(kBlockColumns, how_.columns.size - column), space,
               first_lane, last_lane);
      scatter(at, column, std::min(kBlockColumns, how_.columns.size - column), space, first_lane,
              last_lane);
    }
  }

  void set_position(std::size_t batch, std::vector<Dim>& at) const {
    for (std::size_t i = at.size(); i-- > 0;) {
      const auto extent = static_cast<std::size_t>(plan_.extents[how_.batch.loops[i]]);
      at[i] = static_cast<Dim>(batch % extent);
      batch /= extent;
    }
  }

  void pack_rows(const ProductSide::Base& base, Workspace& space, std::size_t first_lane,
                 std::size_t last_lane) const {
    const std::size_t rows = how_.rows.size;
    if (space.offsets.size() < rows) space.offsets.resize(rows);
    for (std::size_t lane = first_lane; lane < last_lane; ++lane)
      space.rows[lane].reshape(rows, how_.depth.size);
    for (std::size_t k = 0; k < how_.depth.size; ++k) {
      rows_.offsets(base, k, 0, rows, space.offsets.data());
      for (std::size_t lane = first_lane; lane < last_lane; ++lane) {
        const E* source = row_source_.lane(lane).data();
        const E factor = depth_factor(k, lane);
        for (std::size_t m = 0; m < rows; ++m) {
          E x = space.offsets[m] < 0 ? E{0} : source[space.offsets[m]];
          if (has_depth_tables_) x = ring_.mul(lane, x, factor);
          space.rows[lane].at(m, k) = x;
        }
      }
    }
  }

  void multiply(const ProductSide::Base& base, std::size_t first, std::size_t count,
                Workspace& space, std::size_t first_lane, std::size_t last_lane) const {
    for (std::size_t lane = first_lane; lane < last_lane; ++lane)
      space.products[lane].resize(how_.rows.size * count);
    std::vector<Dim>& offsets = space.offsets;
    const std::size_t deepest = std::min(kBlockDepth, how_.depth.size);
    if (offsets.size() < deepest * count) offsets.resize(deepest * count);
    for (std::size_t k = 0; k < how_.depth.size; k += kBlockDepth) {
      const std::size_t deep = std::min(kBlockDepth, how_.depth.size - k);
      for (std::size_t i = 0; i < deep; ++i)
        columns_.offsets(base, k + i, first, count, offsets.data() + i * count);
      find_runs(offsets, first, count, deep, space.runs);
      for (std::size_t lane = first_lane; lane < last_lane; ++lane) {
        if (stop_.stop_requested()) return;  // what is half done, nobody looks at
        if (lane == first_lane || !column_source_.are_alike())
          pack_columns(column_source_.lane(lane).data(), space, count, deep);
        ring_.product(lane, space.rows[lane], k, space.columns,
                      {space.products[lane].data(), count, k > 0});
      }
    }
  }

  // Which columns of which panels lie side by side in the operand, once for all lanes.
  void find_runs(const std::vector<Dim>& offsets, std::size_t first, std::size_t count,
                 std::size_t deep, std::vector<char>& runs) const {
    runs.clear();
    for (std::size_t from = 0; from < count; from += kPanelColumns) {
      const bool even = column_runs_[(first + from) / kPanelColumns] != 0;
      for (std::size_t i = 0; i < deep; ++i) {
        const Dim* panel = offsets.data() + i * count + from;
        Dim signs = even ? 0 : -1;  // of all offsets: negative where one is outside
        for (std::size_t n = 0; even && n < kPanelColumns; ++n) signs |= panel[n];
        runs.push_back(signs < 0 ? 0 : 1);
      }
    }
  }

  static void pack_columns(const E* source, Workspace& space, std::size_t count, std::size_t deep) {
    PackedColumns<E>& packed = space.columns;
    packed.reshape(count, deep);
    const char* run = space.runs.data();
    for (std::size_t panel = 0; panel < packed.panels(); ++panel) {
      E* to = packed.panel(panel);
      const std::size_t first = panel * kPanelColumns;
      const std::size_t width = std::min(kPanelColumns, count - first);
      for (std::size_t i = 0; i < deep; ++i, to += kPanelColumns) {
        const Dim* from = space.offsets.data() + i * count + first;
        if (*run++ != 0) {
          std::copy_n(source + from[0], kPanelColumns, to);
          continue;
        }
        for (std::size_t n = 0; n < width; ++n) to[n] = from[n] < 0 ? E{0} : source[from[n]];
      }
    }
  }

  void scatter(const std::vector<Dim>& at, std::size_t first, std::size_t count,
               const Workspace& space, std::size_t first_lane, std::size_t last_lane) {
    Dim base = plan_.out_offset.base;
    for (std::size_t i = 0; i < at.size(); ++i)
      base += plan_.out_offset.along(how_.batch.loops[i], at[i]);
    const bool unit = plan_.scale == 1 && plan_.tables.empty();
    const bool run = is_run(column_out_.data() + first, count);
    for (std::size_t lane = first_lane; lane < last_lane; ++lane) {
      E* out = out_.lane(lane).data() + base;
      for (std::size_t m = 0; m < how_.rows.size; ++m) {
        const E* product = space.products[lane].data() + m * count;
        if (unit && run) {
          E* to = out + row_out_[m] + column_out_[first];
          for (std::size_t n = 0; n < count; ++n) to[n] = ring_.add(lane, to[n], product[n]);
          continue;
        }
        for (std::size_t n = 0; n < count; ++n) {
          E& to = out[row_out_[m] + column_out_[first + n]];
          const E x =
              unit ? product[n] : ring_.mul(lane, product[n], out_factor(at, m, first + n, lane));
          to = ring_.add(lane, to, x);
        }
      }
    }
  }

  // The product of the tables along the depth at depth k.
  E depth_factor(std::size_t k, std::size_t lane) const {
    E factor = *ring_.constant(lane, 1);
    for (std::size_t t = 0; t < plan_.tables.size(); ++t) {
      const auto loop = static_cast<std::size_t>(plan_.tables[t].axis);
      if (loop >= plan_.out_loops)
        factor = ring_.mul(lane, factor, coef_.tables[lane][t][position(how_.depth, k, loop)]);
    }
    return factor;
  }

  // Scale and the tables along the output's axes.
  E out_factor(const std::vector<Dim>& at, std::size_t m, std::size_t n, std::size_t lane) const {
    E factor = coef_.scale[lane];
    for (std::size_t t = 0; t < plan_.tables.size(); ++t) {
      const auto loop = static_cast<std::size_t>(plan_.tables[t].axis);
      if (loop >= plan_.out_loops) continue;
      std::size_t where = 0;
      if (contains(how_.rows, loop))
        where = position(how_.rows, m, loop);
      else if (contains(how_.columns, loop))
        where = position(how_.columns, n, loop);
      else {
        const auto it = std::find(how_.batch.loops.begin(), how_.batch.loops.end(), loop);
        where =
            static_cast<std::size_t>(at[static_cast<std::size_t>(it - how_.batch.loops.begin())]);
      }
      factor = ring_.mul(lane, factor, coef_.tables[lane][t][where]);
    }
    return factor;
  }

  static bool contains(const FlatLoops& group, std::size_t loop) {
    return std::find(group.loops.begin(), group.loops.end(), loop) != group.loops.end();
  }

  std::size_t position(const FlatLoops& group, std::size_t flat, std::size_t loop) const {
    for (std::size_t i = group.loops.size(); i-- > 0;) {
      const auto extent = static_cast<std::size_t>(plan_.extents[group.loops[i]]);
      if (group.loops[i] == loop) return flat % extent;
      flat /= extent;
    }
    return 0;
  }

  const Ring& ring_;
  const TermPlan& plan_;
  const ContractionPlan& how_;
  const std::stop_token& stop_;
  const RingCoef<E>& coef_;
  TensorOf<Ring>& out_;
  ProductSide rows_, columns_;
  const TensorOf<Ring>& row_source_;
  const TensorOf<Ring>& column_source_;
  std::vector<Dim> row_out_, column_out_;
  std::vector<char> column_runs_;  // by panel: whether its columns follow one another
  bool has_depth_tables_ =
      std::any_of(plan_.tables.begin(), plan_.tables.end(), [&](const AxisTable& table) {
        return static_cast<std::size_t>(table.axis) >= plan_.out_loops;
      });
};

template <class Ring>
void run_loops(const Ring& ring, const TermPlan& plan, const RingCoef<typename Ring::Element>& coef,
               std::span<const TensorOf<Ring>* const> operands, TensorOf<Ring>& out,
               std::size_t threads, const std::stop_token& stop) {
  const std::size_t lines = line_count(plan);
  const std::size_t points =
      lines *
      (plan.extents.empty()
           ? 1
           : static_cast<std::size_t>(*std::max_element(plan.extents.begin(), plan.extents.end())));
  // Threads share out the outermost output loop, so that no two write to one element.
  const bool shared = plan.out_loops > 1 && plan.extents[0] > 1 &&
                      points * ring.lanes() > kWorkPerThread && lines > 0;
  const std::size_t slabs =
      shared ? std::min<std::size_t>(static_cast<std::size_t>(plan.extents[0]), threads * 4) : 1;
  const std::size_t per_slab_unit =
      shared ? lines / static_cast<std::size_t>(plan.extents[0]) : lines;
  const std::size_t units = shared ? static_cast<std::size_t>(plan.extents[0]) : 1;
  parallel_for(slabs, shared ? threads : 1, [&](std::size_t slab) {
    LoopRun<Ring> run(ring, plan, coef, operands, out);
    const std::size_t last = (slab + 1) * units / slabs * per_slab_unit;
    for (std::size_t first = slab * units / slabs * per_slab_unit;
         first < last && !stop.stop_requested(); first += kLinesAtOnce) {
      for_each_line(plan, first, std::min(last, first + kLinesAtOnce),
                    [&](const Line& line) { run(line); });
    }
  });
}

}  // namespace

template <class Ring>
Status add_term(const Ring& ring, const TermCode& term,
                std::span<const TensorOf<Ring>* const> operands, TensorOf<Ring>& out,
                std::size_t threads, const std::stop_token& stop) {
  const auto coef = ring_coef(ring, term.plan);
  if (!coef) return coef.error();
  if (term.product) {
    ProductRun<Ring>(ring, term.plan, *term.product, *coef, operands, out, stop).run(threads);
  } else {
    run_loops(ring, term.plan, *coef, operands, out, threads, stop);
  }
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  return Done{};
}

template Status add_term(const ResidueRing&, const TermCode&,
                         std::span<const LaneTensor<std::uint32_t>* const>,
                         LaneTensor<std::uint32_t>&, std::size_t, const std::stop_token&);
template Status add_term(const RealRing<float>&, const TermCode&,
                         std::span<const LaneTensor<float>* const>, LaneTensor<float>&, std::size_t,
                         const std::stop_token&);
template Status add_term(const RealRing<double>&, const TermCode&,
                         std::span<const LaneTensor<double>* const>, LaneTensor<double>&,
                         std::size_t, const std::stop_token&);
template Status add_term(const RealRing<long double>&, const TermCode&,
                         std::span<const LaneTensor<long double>* const>, LaneTensor<long double>&,
                         std::size_t, const std::stop_token&);

}  // namespace pet
