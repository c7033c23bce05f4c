// The sizes of the three transformers, at full size and tiny. Internal to datasets/models.
#pragma once

#include <cstdint>

namespace pet::datasets {

struct TransformerSizes {
  std::int64_t layers, width, heads, hidden;  // hidden: of the feed-forward layers
  std::int64_t head() const { return width / heads; }
};

// A tiny head has four features, whose square root is a number as plain as that of the 64 of a full
// one, and the fourth root as little so.
inline TransformerSizes transformer_sizes(bool tiny) {
  return tiny ? TransformerSizes{2, 24, 6, 96} : TransformerSizes{12, 768, 12, 3072};
}

struct TextSizes {
  std::int64_t vocabulary, positions;
  std::int64_t tokens;  // where their number is fixed
};

inline TextSizes bert_text(bool tiny) {
  return tiny ? TextSizes{100, 128, 8} : TextSizes{30522, 512, 128};
}

inline TextSizes gpt2_text(bool tiny) {
  return tiny ? TextSizes{100, 128, 8} : TextSizes{50257, 1024, 128};
}

struct ImageSizes {
  std::int64_t image, classes;
  static constexpr std::int64_t kPatch = 16;
  std::int64_t patches() const { return image / kPatch * (image / kPatch); }
};

inline ImageSizes vit_image(bool tiny) { return tiny ? ImageSizes{32, 10} : ImageSizes{224, 1000}; }

}  // namespace pet::datasets
