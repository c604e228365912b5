#include "scenarios/config/models/hugging_face.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "scenarios/config/models/model_library.hpp"

namespace septet::testing {
namespace {

class HuggingFace : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / (std::string("septet-") + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  transformer::Model read(const std::string& text) const {
    std::ofstream(folder_ / "config.json") << text;
    return config::read_hugging_face(folder_ / "config.json");
  }
  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

TEST_F(HuggingFace, ReadsADenseModelWithWhatItsFilesSay) {
  const transformer::Model model = read(R"({"model_type": "llama", "num_hidden_layers": 32,
      "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
      "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072,
      "torch_dtype": "bfloat16", "rope_scaling": {"factor": 8.0}, "tie_word_embeddings": false})");
  EXPECT_NEAR(total_parameters(model), 8.03e9, 1e7);
  EXPECT_EQ(model.groups(), 8U);
  EXPECT_EQ(model.weights, transformer::NumberFormat::kBf16);
}

TEST_F(HuggingFace, ReadsAMixtureWithACompressedCacheInEightBits) {
  const transformer::Model model = read(R"({"model_type": "deepseek_v3", "num_hidden_layers": 61,
      "hidden_size": 7168, "intermediate_size": 18432, "moe_intermediate_size": 2048,
      "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": 1,
      "first_k_dense_replace": 3, "num_attention_heads": 128, "num_key_value_heads": 128,
      "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
      "v_head_dim": 128, "vocab_size": 129280, "num_nextn_predict_layers": 1,
      "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}})");
  EXPECT_NEAR(total_parameters(model), 671e9, 2e9);
  EXPECT_EQ(model.weights, transformer::NumberFormat::kFp8);
  EXPECT_EQ(model.mtp_layers, 1U);
}

TEST_F(HuggingFace, ReadsWindowsOfSomeLayersAndExpertsInFourBits) {
  const transformer::Model model = read(R"({"model_type": "gpt_oss", "num_hidden_layers": 4,
      "hidden_size": 2880, "intermediate_size": 2880, "num_local_experts": 32,
      "experts_per_token": 4, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64,
      "vocab_size": 201088, "sliding_window": 128, "layer_types": ["sliding_attention",
      "full_attention", "sliding_attention", "full_attention"],
      "quantization_config": {"quant_method": "mxfp4"}})");
  EXPECT_EQ(model.windowed_layers, 2U);
  EXPECT_EQ(model.weights, transformer::NumberFormat::kMxfp4);
  EXPECT_EQ(model.quantized, transformer::Quantized::kExperts);
}

TEST_F(HuggingFace, KnowsTheHabitsOfArchitecturesThatLeaveThemOut) {
  const transformer::Model model = read(R"({"model_type": "gpt2", "n_layer": 12, "n_embd": 768,
      "n_head": 12, "vocab_size": 50257, "n_positions": 1024, "n_inner": null})");
  EXPECT_NEAR(total_parameters(model), 124e6, 2e6);
  EXPECT_FALSE(model.gated_linear_unit);
}

TEST_F(HuggingFace, RefusesWhatIsNoModel) {
  EXPECT_NE(refusal("{").find("is no JSON"), std::string::npos);
  EXPECT_NE(refusal("[]").find("is no JSON object"), std::string::npos);
  EXPECT_NE(refusal(R"({"hidden_size": 8})").find("num_hidden_layers is missing"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"num_hidden_layers": -1})").find("num_hidden_layers: got -1"),
            std::string::npos);
}

}  // namespace
}  // namespace septet::testing
