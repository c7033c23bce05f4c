// What the builders write, network by network. Over 400 lines: one network after another.
#include "datasets/models/models.h"

#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

using namespace pet;
using namespace pet::datasets;

namespace {

onnx::ModelProto parsed(const ModelRequest& request) {
  const Result<std::string> bytes = model_bytes(request);
  REQUIRE(bytes.ok());
  onnx::ModelProto model;
  REQUIRE(model.ParseFromString(*bytes));
  return model;
}

std::map<std::string, int> node_counts(const onnx::ModelProto& model) {
  std::map<std::string, int> counts;
  for (const onnx::NodeProto& node : model.graph().node()) ++counts[node.op_type()];
  return counts;
}

std::vector<float> weight(const onnx::ModelProto& model, const std::string& name) {
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    if (tensor.name() != name) continue;
    std::vector<float> data(tensor.raw_data().size() / sizeof(float));
    std::memcpy(data.data(), tensor.raw_data().data(), tensor.raw_data().size());
    return data;
  }
  FAIL("no weight " << name);
  return {};
}

// The name of a weight that is drawn.
std::string drawn_weight(const onnx::ModelProto& model) {
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    if (tensor.data_type() == onnx::TensorProto::FLOAT && tensor.dims_size() > 0)
      return tensor.name();
  }
  FAIL("no weight is drawn");
  return {};
}

// The transformers as they are exported: at full size they take seconds.
bool is_exported_transformer(const std::string& name) {
  return name.starts_with("bert-base") || name.starts_with("vit") || name.starts_with("gpt2");
}

// Half a gigabyte and more in this process.
bool is_large(const std::string& name) { return name == "eqsat/vgg19" || name == "eqsat/vit-base"; }

// The forms of a transformer that the exporter through TorchScript wrote.
std::vector<std::string> script_forms(const std::string& name) {
  std::vector<std::string> out;
  for (const ModelInfo& info : list_models())
    if (info.name.starts_with(name + "-20")) out.push_back(info.name);
  REQUIRE_FALSE(out.empty());
  return out;
}

std::vector<std::int64_t> dims(const onnx::ValueInfoProto& info) {
  std::vector<std::int64_t> shape;
  for (const auto& dim : info.type().tensor_type().shape().dim())
    shape.push_back(dim.has_dim_param() ? kOpen : dim.dim_value());
  return shape;
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool in_transition(const std::string& name) { return name.starts_with("/features/transition"); }

// Every node outside the transitions by name, as bytes, with the result of a transition called
// "transitionK" whatever node makes it.
std::map<std::string, std::string> nodes_outside_transitions(const onnx::ModelProto& model) {
  const std::string transition = "/features/transition";
  std::map<std::string, std::string> nodes;
  for (onnx::NodeProto node : model.graph().node()) {
    if (in_transition(node.name())) continue;
    for (std::string& input : *node.mutable_input()) {
      if (input.starts_with(transition)) input = "transition" + input.substr(transition.size(), 1);
    }
    nodes[node.name()] = node.SerializeAsString();
  }
  return nodes;
}

// The operators of the transitions in the order in which data flows through them.
std::vector<std::string> transition_operators(const onnx::ModelProto& model) {
  std::vector<std::string> types;
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (in_transition(node.name())) types.push_back(node.op_type());
  }
  return types;
}

}  // namespace

TEST_CASE(
    "DenseNet-121 has its 120 convolutions, one linear layer and what the exporter leaves of the "
    "batch norms") {
  std::map<std::string, int> counts = node_counts(parsed({.name = "densenet121"}));
  const std::map<std::string, int> folded{
      {"Conv", 120},  {"Gemm", 1},    {"BatchNormalization", 62},
      {"Relu", 121},  {"Concat", 62}, {"AveragePool", 3},
      {"MaxPool", 1}, {"Flatten", 1}, {"GlobalAveragePool", 1}};
  CHECK(counts == folded);
  counts = node_counts(parsed({.name = "densenet121", .fold_batchnorm = false}));
  CHECK(counts["BatchNormalization"] == 121);
  CHECK(counts["Conv"] == 120);
}

TEST_CASE("DenseNet-121 has the parameters of the published network") {
  std::int64_t parameters = 0;
  const onnx::ModelProto model = parsed({.name = "densenet121", .fold_batchnorm = false});
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    if (tensor.name().ends_with("running_mean") || tensor.name().ends_with("running_var")) continue;
    parameters += static_cast<std::int64_t>(tensor.raw_data().size() / sizeof(float));
  }
  CHECK(parameters == 7'978'856);
}

TEST_CASE("Inception-v3 has the layers and parameters of the published network, at PET's size") {
  const onnx::ModelProto model = parsed({.name = "inception-v3"});
  const std::map<std::string, int> expected{{"Conv", 94},
                                            {"Gemm", 1},
                                            {"Relu", 94},
                                            {"AveragePool", 9},
                                            {"Concat", 15},
                                            {"MaxPool", 4},
                                            {"GlobalAveragePool", 1},
                                            {"Flatten", 1}};
  CHECK(node_counts(model) == expected);
  CHECK(dims(model.graph().input(0)) == std::vector<std::int64_t>{1, 3, 330, 330});
  std::int64_t parameters = 0;
  for (const onnx::TensorProto& tensor : model.graph().initializer())
    parameters += static_cast<std::int64_t>(tensor.raw_data().size() / sizeof(float));
  std::int64_t channels = 0;  // of all norms: a folded one keeps one of its two vectors
  for (const onnx::NodeProto& node : model.graph().node())
    if (node.op_type() == "Conv")
      channels += static_cast<std::int64_t>(weight(model, node.input(2)).size());
  CHECK(parameters == 23'834'568 - channels);
}

TEST_CASE("ResNet-18 has 20 convolutions, 8 residual sums and 11.7 million parameters") {
  const onnx::ModelProto model = parsed({.name = "resnet18"});
  const std::map<std::string, int> expected{{"Conv", 20},  {"Gemm", 1},    {"Add", 8},
                                            {"Relu", 17},  {"MaxPool", 1}, {"GlobalAveragePool", 1},
                                            {"Flatten", 1}};
  CHECK(node_counts(model) == expected);
  CHECK(node_counts(parsed({.name = "resnet18", .fold_batchnorm = false}))["BatchNormalization"] ==
        20);
  std::int64_t parameters = 0;
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    parameters += static_cast<std::int64_t>(tensor.raw_data().size() / sizeof(float));
  }
  CHECK(parameters ==
        11'689'512 - 4'800);  // a folded norm keeps one of its two vectors, of 4800 channels in all
}

std::int64_t trained_parameters(const std::string& name) {
  std::int64_t out = 0;
  const onnx::ModelProto model = parsed({.name = name, .fold_batchnorm = false});
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    if (tensor.name().ends_with("running_mean") || tensor.name().ends_with("running_var")) continue;
    out += static_cast<std::int64_t>(tensor.raw_data().size() / sizeof(float));
  }
  return out;
}

TEST_CASE("Networks of videos have the operators and the parameters of the published ones") {
  const std::map<std::string, int> expected{{"Conv", 20}, {"Gemm", 1},    {"Add", 8},
                                            {"Relu", 17}, {"Flatten", 1}, {"GlobalAveragePool", 1}};
  CHECK(node_counts(parsed({.name = "resnet3d18"})) == expected);
  CHECK(node_counts(parsed({.name = "mc3-18"})) == expected);
  CHECK(trained_parameters("resnet3d18") == 33'371'472);
  CHECK(trained_parameters("mc3-18") == 11'695'440);
}

TEST_CASE("ResNet-50 has the operators and the parameters of the published network") {
  const std::map<std::string, int> expected{{"Conv", 53},  {"Gemm", 1},    {"Add", 16},
                                            {"Relu", 49},  {"Flatten", 1}, {"GlobalAveragePool", 1},
                                            {"MaxPool", 1}};
  CHECK(node_counts(parsed({.name = "resnet50"})) == expected);
  CHECK(trained_parameters("resnet50") == 25'557'032);
}

TEST_CASE("PET's BERT has seven matrix products a layer, two of them of computed values") {
  for (const bool tiny : {true, false}) {
    const int layers = tiny ? 2 : 12;
    const std::map<std::string, int> expected{{"MatMul", 7 * layers},  {"Add", 3 * layers},
                                              {"Softmax", layers},     {"Relu", 2 * layers},
                                              {"Reshape", 4 * layers}, {"Transpose", 4 * layers}};
    CHECK(node_counts(parsed({.name = "bert-pet", .tiny = tiny})) == expected);
  }
}

TEST_CASE("A back end of CSRNet keeps its map, whatever its dilations") {
  for (const auto& [name, expected] :
       std::map<std::string, std::vector<std::int64_t>>{{"csrnet", {2, 2, 2, 2, 2, 2}},
                                                        {"csrnet-d1", {1, 1, 1, 1, 1, 1}},
                                                        {"csrnet-d2-d4", {2, 2, 2, 4, 4, 4}},
                                                        {"csrnet-d4", {4, 4, 4, 4, 4, 4}}}) {
    const onnx::ModelProto model = parsed({.name = name, .tiny = true, .batch = 2});
    std::vector<std::int64_t> dilations;
    for (const onnx::NodeProto& node : model.graph().node()) {
      for (const auto& attribute : node.attribute()) {
        if (attribute.name() == "dilations") dilations.push_back(attribute.ints(0));
      }
    }
    CHECK(dilations == expected);
    CHECK(dims(model.graph().output(0)) == std::vector<std::int64_t>{2, 2, 14, 14});
  }
}

TEST_CASE("Frames and size are the caller's where the model leaves them open") {
  const onnx::ModelProto video =
      parsed({.name = "resnet3d18", .tiny = true, .batch = 2, .frames = 5, .size = 23});
  CHECK(dims(video.graph().input(0)) == std::vector<std::int64_t>{2, 3, 5, 23, 23});
  CHECK(dims(parsed({.name = "csrnet", .tiny = true, .size = 9}).graph().output(0)) ==
        std::vector<std::int64_t>{1, 2, 9, 9});
  CHECK(weight(parsed({.name = "densenet121", .tiny = true, .size = 32}), "classifier.weight") ==
        weight(parsed({.name = "densenet121", .tiny = true}), "classifier.weight"));
}

TEST_CASE("Every result and weight is read, and a node reads only what stands before it") {
  for (const ModelInfo& info : list_models()) {
    INFO(info.name);
    const onnx::ModelProto model =
        parsed({.name = info.name, .tiny = true, .fold_batchnorm = false});
    std::set<std::string> written, read;
    for (const auto& input : model.graph().input()) written.insert(input.name());
    for (const auto& tensor : model.graph().initializer()) written.insert(tensor.name());
    for (const onnx::NodeProto& node : model.graph().node()) {
      for (const std::string& input : node.input()) CHECK(written.contains(input));
      read.insert(node.input().begin(), node.input().end());
      for (const std::string& output : node.output()) CHECK(written.insert(output).second);
    }
    std::set<std::string> answers;
    for (const auto& output : model.graph().output()) {
      CHECK(answers.insert(output.name()).second);
      read.insert(output.name());
    }
    CHECK(read == written);
  }
}

TEST_CASE("Results carry the names that PyTorch's exporter gives them") {
  std::set<std::string> names;
  for (const char* name : {"densenet121", "resnet18"}) {
    const onnx::ModelProto model = parsed({.name = name, .tiny = true});
    for (const onnx::NodeProto& node : model.graph().node()) names.insert(node.output(0));
  }
  CHECK(names.contains("/features/denseblock1/denselayer1/conv1/Conv_output_0"));
  CHECK(names.contains("/features/transition3/pool/AveragePool_output_0"));
  CHECK(names.contains("/layer2/layer2.0/downsample/downsample.0/Conv_output_0"));
  CHECK(names.contains("/layer1/layer1.1/relu_1/Relu_output_0"));
  CHECK_FALSE(
      weight(parsed({.name = "resnet18", .tiny = true}), "layer2.0.downsample.0.weight").empty());
}

TEST_CASE("The same seed gives the same bytes and another seed gives other bytes") {
  for (const ModelInfo& info : list_models()) {
    INFO(info.name);
    const ModelRequest seven{.name = info.name, .tiny = true, .seed = 7};
    CHECK(*model_bytes(seven) == *model_bytes(seven));
    const onnx::ModelProto one = parsed(seven);
    const onnx::ModelProto other = parsed({.name = info.name, .tiny = true, .seed = 8});
    const std::string drawn = drawn_weight(one);
    CHECK(weight(one, drawn) != weight(other, drawn));
  }
}

TEST_CASE("Different weights of one shape are different numbers") {
  const onnx::ModelProto model = parsed({.name = "resnet18", .tiny = true});
  CHECK(weight(model, "layer1.0.conv1.weight") != weight(model, "layer1.0.conv2.weight"));
}

TEST_CASE("A filter sums to zero and has the deviation that keeps a deep network alive") {
  const onnx::ModelProto model = parsed({.name = "resnet18", .fold_batchnorm = false});
  const std::vector<float> data = weight(model, "layer3.0.conv2.weight");
  constexpr std::size_t kSize = 256 * 9;
  REQUIRE(data.size() == 256 * kSize);
  double squares = 0;
  for (std::size_t f = 0; f < 256; ++f) {
    double sum = 0;
    for (std::size_t i = f * kSize; i < (f + 1) * kSize; ++i) {
      sum += data[i];
      squares += data[i] * data[i];
    }
    CHECK(std::abs(sum) < 1e-4);
  }
  CHECK(squares / 256 == Approx(2.4).epsilon(0.02));
}

TEST_CASE("Folding scales a filter by its norm and moves the rest into a bias") {
  const onnx::ModelProto folded = parsed({.name = "densenet121", .tiny = true});
  const onnx::ModelProto plain =
      parsed({.name = "densenet121", .tiny = true, .fold_batchnorm = false});
  const std::vector<float> before = weight(plain, "features.conv0.weight");
  const std::vector<float> after = weight(folded, "features.conv0.weight");
  const std::vector<float> bias = weight(folded, "features.conv0.bias");
  const std::vector<float> scale = weight(plain, "features.norm0.weight");
  const std::vector<float> shift = weight(plain, "features.norm0.bias");
  const std::vector<float> mean = weight(plain, "features.norm0.running_mean");
  const std::vector<float> variance = weight(plain, "features.norm0.running_var");
  REQUIRE(before.size() == after.size());
  REQUIRE(bias.size() == 16);
  const std::size_t size = before.size() / bias.size();
  for (std::size_t f = 0; f < bias.size(); ++f) {
    const double factor = scale[f] / std::sqrt(variance[f] + 1e-5);
    CHECK(after[f * size] == Approx(before[f * size] * factor));
    CHECK(after[f * size + size - 1] == Approx(before[f * size + size - 1] * factor));
    CHECK(bias[f] == Approx(shift[f] - mean[f] * factor).margin(1e-6));
  }
}

TEST_CASE(
    "The yardstick has the weights of DenseNet-121 and differs in the order of its transitions "
    "alone") {
  for (const bool tiny : {true, false}) {
    const onnx::ModelProto original = parsed({.name = "densenet121", .tiny = tiny});
    const onnx::ModelProto yardstick = parsed({.name = "densenet121-yardstick", .tiny = tiny});
    CHECK(nodes_outside_transitions(original) == nodes_outside_transitions(yardstick));
    std::map<std::string, std::string> weights, yardstick_weights;
    for (const auto& t : original.graph().initializer()) weights[t.name()] = t.SerializeAsString();
    for (const auto& t : yardstick.graph().initializer())
      yardstick_weights[t.name()] = t.SerializeAsString();
    CHECK(weights == yardstick_weights);
    CHECK(original.graph().input(0).SerializeAsString() ==
          yardstick.graph().input(0).SerializeAsString());
    CHECK(original.graph().output(0).SerializeAsString() ==
          yardstick.graph().output(0).SerializeAsString());
    std::vector<std::string> by_hand, exported;
    for (int i = 0; i < 3; ++i) {
      exported.insert(exported.end(), {"BatchNormalization", "Relu", "Conv", "AveragePool"});
      by_hand.insert(by_hand.end(), {"BatchNormalization", "Relu", "AveragePool", "Conv"});
    }
    CHECK(transition_operators(original) == exported);
    CHECK(transition_operators(yardstick) == by_hand);
  }
}

TEST_CASE("The list tells the inputs of every model at full size") {
  for (const ModelInfo& info : list_models()) {
    INFO(info.name);
    CHECK(info.summary.ends_with("."));
    if (is_exported_transformer(info.name) || is_large(info.name)) continue;
    const onnx::ModelProto model = parsed({.name = info.name});
    REQUIRE(model.graph().input_size() == static_cast<int>(info.inputs.size()));
    for (int i = 0; i < model.graph().input_size(); ++i) {
      CHECK(dims(model.graph().input(i)) == info.inputs[static_cast<std::size_t>(i)]);
    }
  }
}

TEST_CASE("Today's exporter declares every value of a transformer, the older one none") {
  for (const char* name : {"bert-base", "vit-b16", "gpt2"}) {
    INFO(name);
    const onnx::ModelProto today = parsed({.name = name, .tiny = true});
    std::set<std::string> declared;
    for (const auto& info : today.graph().value_info()) declared.insert(info.name());
    for (const auto& tensor : today.graph().initializer()) CHECK(declared.contains(tensor.name()));
    std::set<std::string> answers;
    for (const auto& output : today.graph().output()) answers.insert(output.name());
    for (const onnx::NodeProto& node : today.graph().node()) {
      for (const std::string& output : node.output())
        CHECK(declared.contains(output) != answers.contains(output));
    }
    for (const std::string& old : script_forms(name))
      CHECK(parsed({.name = old, .tiny = true}).graph().value_info_size() == 0);
  }
}

TEST_CASE("Norms and Gelu are operators today and were written out in older exports") {
  for (const char* name : {"bert-base", "vit-b16"}) {
    INFO(name);
    std::map<std::string, int> today = node_counts(parsed({.name = name, .tiny = true}));
    CHECK(today["LayerNormalization"] == 5);
    CHECK(today["Gelu"] == 2);
    CHECK(today["ReduceMean"] + today["Erf"] + today["Constant"] == 0);
    for (const std::string& form : script_forms(name)) {
      INFO(form);
      std::map<std::string, int> old = node_counts(parsed({.name = form, .tiny = true}));
      CHECK(old["ReduceMean"] == 10);
      CHECK(old["Erf"] == 2);
      CHECK(old["LayerNormalization"] + old["Gelu"] == 0);
      CHECK(today["Softmax"] == old["Softmax"]);
    }
  }
}

TEST_CASE("Transformers carry the names that each exporter gives") {
  std::set<std::string> names;
  for (const char* name : {"bert-base", "bert-base-2021", "vit-b16", "gpt2"}) {
    const onnx::ModelProto model = parsed({.name = name, .tiny = true});
    for (const onnx::NodeProto& node : model.graph().node()) {
      names.insert(node.name());
      names.insert(node.output().begin(), node.output().end());
    }
  }
  for (const char* name : {"Unsqueeze_1", "last_hidden_state", "node_linear_3", "layer_norm_2",
                           "scaled_dot_product_attention_1", "conv2d", "split_1_split_2"}) {
    INFO(name);
    CHECK(names.contains(name));
  }
}

// Two forms are a pair that computes the same, which they do with equal weights alone.
TEST_CASE("All forms of a transformer have the same parameters") {
  for (const auto& [name, parameters] : std::map<std::string, std::vector<std::string>>{
           {"bert-base",
            {"embeddings.word_embeddings.weight", "encoder.layer.1.attention.self.key.bias",
             "encoder.layer.1.output.LayerNorm.weight", "pooler.dense.weight"}},
           {"vit-b16",
            {"conv_proj.weight", "class_token",
             "encoder.layers.encoder_layer_1.self_attention.in_proj_bias", "heads.head.weight"}},
           {"gpt2",
            {"transformer.wpe.weight", "transformer.h.1.attn.c_attn.weight",
             "transformer.ln_f.bias"}}}) {
    const onnx::ModelProto today = parsed({.name = name, .tiny = true, .seed = 3});
    for (const std::string& form : script_forms(name)) {
      const onnx::ModelProto old = parsed({.name = form, .tiny = true, .seed = 3});
      for (const std::string& parameter : parameters) {
        INFO(form << " " << parameter);
        CHECK(weight(today, parameter) == weight(old, parameter));
      }
    }
  }
}

TEST_CASE("The batch of a transformer is open unless it is asked for") {
  for (const ModelInfo& info : list_models()) {
    if (!is_exported_transformer(info.name)) continue;
    INFO(info.name);
    const onnx::ModelProto open = parsed({.name = info.name, .tiny = true});
    const onnx::ModelProto fixed = parsed({.name = info.name, .tiny = true, .batch = 3});
    REQUIRE(open.graph().input_size() == static_cast<int>(info.inputs.size()));
    for (int i = 0; i < open.graph().input_size(); ++i) {
      const auto& listed = info.inputs[static_cast<std::size_t>(i)];
      std::vector<std::int64_t> shape = dims(open.graph().input(i));
      REQUIRE(shape.size() == listed.size());
      // The numbers that are listed are those of full size.
      for (std::size_t axis = 0; axis < shape.size(); ++axis)
        CHECK((shape[axis] == kOpen) == (listed[axis] == kOpen));
      CHECK(shape[0] == kOpen);
      CHECK(dims(fixed.graph().input(i))[0] == 3);
    }
    for (const auto& output : open.graph().output()) CHECK(dims(output)[0] == kOpen);
    for (const auto& output : fixed.graph().output()) CHECK(dims(output)[0] == 3);
  }
}

TEST_CASE("A group stands for all its rows and a name for itself") {
  const std::vector<std::string> rows = models_named("operators");
  CHECK(rows.size() == 16);
  CHECK(std::count(rows.begin(), rows.end(), "operators/conv5x5") == 1);
  CHECK(models_named("densenet121") == std::vector<std::string>{"densenet121"});
  CHECK(models_named("densenet").empty());
}

TEST_CASE("The batch is the first extent of images and the rows of a matrix") {
  CHECK(dims(parsed({.name = "resnet18", .tiny = true, .batch = 2}).graph().input(0)) ==
        std::vector<std::int64_t>{2, 3, 32, 32});
  CHECK(dims(parsed({.name = "operators/matmul-batch3", .batch = 4}).graph().output(0)) ==
        std::vector<std::int64_t>{3, 2048, 768});
}

TEST_CASE("Tiny models stay below a megabyte") {
  for (const ModelInfo& info : list_models()) {
    INFO(info.name);
    CHECK(model_bytes({.name = info.name, .tiny = true})->size() < 1'000'000);
  }
}

TEST_CASE("A request that makes no sense is an error of usage") {
  for (const ModelRequest& request :
       {ModelRequest{.name = "densenet"}, ModelRequest{.name = "operators"},
        ModelRequest{.name = "resnet18", .batch = 0},
        ModelRequest{.name = "resnet18", .batch = kMaxBatch + 1},
        ModelRequest{.name = "resnet18", .frames = 8}, ModelRequest{.name = "bert-pet", .size = 8},
        ModelRequest{.name = "densenet121", .size = 31},
        ModelRequest{.name = "resnet3d18", .frames = 0},
        ModelRequest{.name = "resnet3d18", .size = kMaxExtent + 1}}) {
    const Result<std::string> bytes = model_bytes(request);
    REQUIRE_FALSE(bytes.ok());
    CHECK(bytes.error().kind == ErrorKind::Usage);
  }
}

TEST_CASE("A model is written whole, over what was there, or not at all") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("pet-models-test-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const ModelRequest request{.name = "operators/conv5x5", .tiny = true};
  std::ofstream(folder / "m.onnx") << "older";
  CHECK(build_model(request, folder / "m.onnx").ok());
  CHECK(file_text(folder / "m.onnx") == *model_bytes(request));
  std::filesystem::create_directories(folder / "taken" / "inside");
  const Status onto_folder = build_model(request, folder / "taken");
  REQUIRE_FALSE(onto_folder.ok());
  CHECK(onto_folder.error().kind == ErrorKind::Usage);
  CHECK_FALSE(build_model(request, folder / "absent" / "m.onnx").ok());
  const auto entries = std::distance(std::filesystem::directory_iterator(folder), {});
  CHECK(entries == 2);  // the model and the folder: nothing half-written stays
  std::filesystem::remove_all(folder);
}
