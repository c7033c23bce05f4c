// The masks that the library of transformers makes for its attention, as the exporter through
// torch.export writes them: a function of an image, a query and a key, applied to all of them at
// once, so that a table of batch x tokens is read by pairs of an image and a place. Internal to
// datasets/models.
#pragma once

#include "datasets/models/program_layers.h"

namespace pet::datasets {

// The extent of the batch: as a scalar and as a list of one.
struct BatchSize {
  std::string scalar, list;
};
BatchSize batch_size(ProgramGraph& graph, const Tensor& ids);

// The numbers of the texts: [batch, 1, 1, 1].
Tensor numbered_texts(ProgramGraph& graph, const BatchSize& size);

// Where queries or keys stand, along one of four axes.
struct Places {
  std::string name;
  Shape known;  // where they vary
  Shape all;    // those of all texts
};
Places query_places(ProgramGraph& graph, std::int64_t tokens);  // [1, 1, tokens, 1]
Places key_places(ProgramGraph& graph, std::int64_t tokens);    // [1, 1, 1, tokens]

// All pairs of a text and a place, along one axis more.
struct Pairs {
  std::string name;
  Shape read;  // the shape of what is read there
};
Pairs index_pairs(ProgramGraph& graph, const Tensor& texts, const Places& places);
// What a table of texts x tokens holds there.
Tensor read_at(ProgramGraph& graph, const Tensor& table, ElementType type, const Pairs& pairs);

// What is looked at gets 0, the rest the lowest float.
Tensor additive(ProgramGraph& graph, const Tensor& mask);

}  // namespace pet::datasets
