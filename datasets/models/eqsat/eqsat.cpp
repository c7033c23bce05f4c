#include "datasets/models/eqsat/eqsat.h"

namespace pet::datasets {

const std::vector<EqsatModel>& eqsat_models() {
  static const std::vector<EqsatModel> all{
      {{"bert",
        "BERT as TASO builds it: attention and one product a layer, nothing else.",
        {{64, 1024}}},
       eqsat_bert},
      {{"inception-v3",
        "Inception-v3 as TENSAT builds it: no norms, concatenations in pairs.",
        {{1, 3, 299, 299}}},
       eqsat_inception},
      {{"mobilenet-v2",
        "MobileNet-v2 as TENSAT builds it: its norms are kept, Relu for Relu6.",
        {{1, 3, 224, 224}}},
       eqsat_mobilenet},
      {{"nasnet-a",
        "NasNet-A as TASO builds it: cells of separable convolutions and pools.",
        {{1, 3, 224, 224}}},
       eqsat_nasnet},
      {{"nasrnn",
        "Five steps of the recurrent cell that NAS found, as TASO builds it.",
        {5, {1, 512}}},
       eqsat_nasrnn},
      {{"resnet50",
        "ResNet-50 as TASO builds it: the blocks alone, without norms.",
        {{1, 64, 56, 56}}},
       eqsat_resnet50},
      {{"resnext50",
        "ResNeXt-50 as TASO builds it: blocks of 32 groups, without norms.",
        {{1, 3, 224, 224}}},
       eqsat_resnext50},
      {{"squeezenet", "SqueezeNet 1.1 as TENSAT builds it: without biases.", {{1, 3, 224, 224}}},
       eqsat_squeezenet},
      {{"tt",
        "The audio encoder of a Transformer-Transducer of what TASO has operators for.",
        {{64, 512}}},
       eqsat_tt},
      {{"vgg19",
        "VGG-19 as TENSAT builds it: the weights of its head are stored transposed.",
        {{1, 3, 224, 224}}},
       eqsat_vgg19},
      {{"vit-base", "ViT-Base, patches of 16, of what TASO has operators for.", {{1, 3, 224, 224}}},
       eqsat_vit_base},
  };
  return all;
}

}  // namespace pet::datasets
