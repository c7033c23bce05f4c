#include <algorithm>

#include "gpu/lower/axis_runs.h"
#include "gpu/lower/product_forms.h"

namespace pet::gpu {
namespace {

constexpr std::size_t kFewestSlides = 2;
constexpr std::size_t kMostSlides = 3;

// A dimension of one element has the stride that it would have if all were packed in that order.
void fill_strides(View& view) {
  Dim packed = 1;
  for (std::size_t i = view.extents.size(); i-- > 0;) {
    if (view.strides[i] == 0) view.strides[i] = packed;
    packed = std::max(packed, view.strides[i] * view.extents[i]);
  }
}

// Batches that are not one axis in memory slide with one tap.
AxisRun sliding_in_place(AxisRun batch) {
  batch.axis.role = AxisRole::Slide;
  batch.axis.slide = {};
  return batch;
}

class Former {
 public:
  Former(const Product& product, const Layouts& layouts)
      : batches_(runs_of(product, layouts, AxisRole::Batch)),
        groups_(runs_of(product, layouts, AxisRole::Group)),
        channels_(runs_of(product, layouts, AxisRole::Channel)),
        features_(runs_of(product, layouts, AxisRole::Feature)),
        slides_(runs_of(product, layouts, AxisRole::Slide)) {}

  std::optional<Convolution> form() {
    if (groups_.size() > 1 || channels_.size() > 1 || features_.size() > 1) return std::nullopt;
    const bool has_taps =
        std::ranges::any_of(slides_, [](const AxisRun& run) { return run.axis.slide.taps > 1; });
    if (channels_.empty() && !has_taps) return std::nullopt;
    if (!groups_are_outside()) return std::nullopt;
    const std::size_t outside = batches_.empty() || !is_outside_channels(batches_[0]) ? 0 : 1;
    for (std::size_t i = outside; i < batches_.size(); ++i)
      slides_.push_back(sliding_in_place(batches_[i]));
    batches_.resize(outside);
    if (slides_.size() > kMostSlides) return std::nullopt;
    while (slides_.size() < kFewestSlides) slides_.insert(slides_.begin(), sliding_in_place({}));
    return made();
  }

 private:
  static AxisRun only(const std::vector<AxisRun>& runs) {
    return runs.empty() ? AxisRun{} : runs.front();
  }

  // Channels of one group follow those of the one before, in all three.
  bool groups_are_outside() const {
    if (groups_.empty()) return true;
    const AxisRun g = groups_.front();
    const bool data =
        channels_.empty() || g.data_stride == channels_[0].data_stride * channels_[0].axis.data;
    if (features_.empty()) return data;
    const AxisRun& f = features_.front();
    return data && g.weight_stride == f.weight_stride * f.axis.weight &&
           g.result_stride == f.result_stride * f.axis.result;
  }

  // Images, and no positions of one: libraries know layouts in which channels are outside of those.
  bool is_outside_channels(const AxisRun& batch) const {
    return channels_.empty() || batch.data_stride > channels_.front().data_stride ||
           channels_.front().data_stride == 1;
  }

  static Dim inner(Dim of_inner, Dim of_groups) { return of_inner != 0 ? of_inner : of_groups; }

  Convolution made() const {
    const AxisRun n = only(batches_);
    const AxisRun g = only(groups_);
    const AxisRun c = only(channels_);
    const AxisRun f = only(features_);
    Convolution out;
    out.groups = g.axis.data;
    out.data = {{},
                {n.axis.data, g.axis.data * c.axis.data},
                {n.data_stride, inner(c.data_stride, g.data_stride)}};
    out.weight = {{},
                  {g.axis.weight * f.axis.weight, c.axis.weight},
                  {inner(f.weight_stride, g.weight_stride), c.weight_stride}};
    out.result = {{},
                  {n.axis.result, g.axis.result * f.axis.result},
                  {n.result_stride, inner(f.result_stride, g.result_stride)}};
    for (const AxisRun& slide : slides_) add(out, slide);
    for (View* view : {&out.data, &out.weight, &out.result}) fill_strides(*view);
    return out;
  }

  static void add(Convolution& out, const AxisRun& run) {
    out.slides.push_back(run.axis.slide);
    out.data.extents.push_back(run.axis.data);
    out.data.strides.push_back(run.data_stride);
    out.weight.extents.push_back(run.axis.slide.taps);
    out.weight.strides.push_back(run.weight_stride);
    out.result.extents.push_back(run.axis.result);
    out.result.strides.push_back(run.result_stride);
  }

  std::vector<AxisRun> batches_, groups_, channels_, features_, slides_;
};

}  // namespace

std::optional<Convolution> as_convolution(const Graph& graph, const Product& product) {
  if (product.bias && !feature_dimension(product)) return std::nullopt;
  return Former(product, row_major(graph, product)).form();
}

}  // namespace pet::gpu
