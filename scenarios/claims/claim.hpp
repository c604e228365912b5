// A claim that has been read and checked, and what matches its figure.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/claims/claim_text.hpp"

namespace septet::claims {

enum class FigureKind : std::uint8_t { kValue, kRatio, kSpeedup, kSaving, kRate };
enum class FigureBound : std::uint8_t { kAbout, kAtLeast, kAtMost };
enum class Verdict : std::uint8_t { kHolds, kHoldsWhen, kDoesNotHold, kNotSimulated };

// "holds", "holds when", "does not hold", "not simulated"
const char* name_of(Verdict verdict);

// The claim's figure. Its effect is the deviation from no change: a speedup of 1.15 has an effect
// of 0.15, any other figure is its own effect. Tolerance is a share of the effect.
struct Figure {
  FigureKind kind = FigureKind::kValue;
  FigureBound bound = FigureBound::kAbout;
  double least = 0;  // as claimed
  double most = 0;
  double tolerance = 0;
  std::string unit;

  bool matched_by(double value) const;
  // From both sides of a situation. `amount`: of a rate.
  double of(double before, double after, double amount) const;
};

struct Claim {
  std::string name;  // the file's
  std::filesystem::path file;
  std::shared_ptr<const config::ConfigValue> tree;  // places in `text` point into it
  ClaimText text;
  Figure figure;
  Verdict written = Verdict::kNotSimulated;

  // The premises first, if any, then those on which it is evaluated.
  std::vector<std::string> gpus() const;
  // Where the file names one of them.
  Location where_of_gpu(const std::string& gpu) const;
  // Throws ConfigError, located at the part, where there is none.
  const config::KernelText& kernel(const PartText& part) const;
};

// True for the tree of a claim file: it has a table [claim].
bool is_claim(const config::ConfigValue& tree);

// Throws ConfigError for every error that can be detected without hardware.
Claim read_claim(const config::ConfigValue& tree, const std::filesystem::path& file);

}  // namespace septet::claims
