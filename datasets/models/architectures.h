// The architectures that models.cpp offers by name. Internal to datasets/models.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "datasets/models/models.h"

namespace pet::datasets {

class Network;

// Where a transition of DenseNet halves the image: torchvision's pools after the 1x1 convolution.
// Both orders compute the same, the other with a quarter of the products.
enum class TransitionOrder { ConvThenPool, PoolThenConv };

void densenet121(Network& net, const ModelRequest& request, TransitionOrder order);
void resnet18(Network& net, const ModelRequest& request);
void resnet50(Network& net, const ModelRequest& request);
void resnet3d18(Network& net, const ModelRequest& request);
void mc3_18(Network& net, const ModelRequest& request);
// torchvision's form, at the size that PET runs it at: 330x330, so that inner images have even
// sides.
inline constexpr std::int64_t kLeastInception = 75;  // smaller ones vanish on the way
void inception_v3(Network& net, const ModelRequest& request);
// The simplified encoder that PET is evaluated on.
void bert_pet(Network& net, const ModelRequest& request);
// The dilated back end of CSRNet alone, one dilation a convolution.
void csrnet(Network& net, const ModelRequest& request,
            const std::array<std::int64_t, 6>& dilations);

// Two 3x3 convolutions of two images with a Relu between them.
void pair(Network& net, const ModelRequest& request);

// The operator benchmark: one small model a row, its name without the group "operators/".
std::vector<ModelInfo> operator_rows();
// REQUIRES: row is the name of one of operator_rows().
void operator_row(Network& net, const ModelRequest& request, const std::string& row);

// The transformers as PyTorch exports them: through torch.export today, through TorchScript in 2021
// and, ViT-B/16, in 2023. All forms of one network have the same weights. They return the bytes of
// the file.
std::string bert_base(const ModelRequest& request);
std::string vit_b16(const ModelRequest& request);
std::string gpt2(const ModelRequest& request);
std::string bert_base_2021(const ModelRequest& request);
std::string vit_b16_2021(const ModelRequest& request);
std::string vit_b16_2023(const ModelRequest& request);
std::string gpt2_2021(const ModelRequest& request);

}  // namespace pet::datasets
