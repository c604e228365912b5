// The KV cache of one engine as a pool of blocks, with prefix caching.
//
// A block that no sequence uses keeps its content until it is taken for another one: the least
// recently freed first (vLLM's free queue). A block's key says which tokens, from the beginning of
// a sequence to the end of the block, it holds; full blocks alone have one. Keys that several
// sequences may have are listed; those of one sequence alone are not, since it knows its blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace septet::serving {

using BlockId = std::uint32_t;
using BlockKey = std::uint64_t;
constexpr BlockKey kNoKey = 0;

class KvCache {
 public:
  explicit KvCache(std::uint32_t blocks);

  std::uint32_t blocks() const { return static_cast<std::uint32_t>(blocks_.size() - 1); }
  std::uint32_t unused() const { return unused_; }    // those that still hold something among them
  std::uint32_t evicted() const { return evicted_; }  // contents lost so far

  // Needs an unused block; its former content is lost.
  BlockId take();
  // The listed block with this content, in use or not.
  std::optional<BlockId> find(BlockKey key) const;
  bool holds(BlockId block, BlockKey key) const { return blocks_[block].key == key; }
  bool in_use(BlockId block) const { return blocks_[block].users > 0; }
  // One user more of a block that was found.
  void use(BlockId block);
  // One user less.
  void release(BlockId block);
  // Names the content of a block that has none; a second listed block with the same content stays
  // unnamed.
  void name(BlockId block, BlockKey key, bool listed);

 private:
  struct Block {
    BlockKey key = kNoKey;
    std::uint32_t users = 0;
    bool listed = false;
    BlockId before = 0;  // in the ring of unused blocks
    BlockId after = 0;
  };
  void unlink(BlockId block);
  void link_last(BlockId block);

  std::vector<Block> blocks_;  // the last one is the ring's end, no block
  std::uint32_t unused_ = 0;
  std::uint32_t evicted_ = 0;
  std::unordered_map<BlockKey, BlockId> listed_;
};

}  // namespace septet::serving
