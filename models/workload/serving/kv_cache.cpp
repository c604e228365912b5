#include "models/workload/serving/kv_cache.hpp"

#include "core/base/error.hpp"

namespace septet::serving {

KvCache::KvCache(std::uint32_t blocks) : blocks_(std::size_t{blocks} + 1) {
  blocks_[blocks].before = blocks_[blocks].after = blocks;
  for (BlockId block = 0; block < blocks; ++block) link_last(block);
}

void KvCache::unlink(BlockId block) {
  Block& it = blocks_[block];
  blocks_[it.before].after = it.after;
  blocks_[it.after].before = it.before;
  --unused_;
}

void KvCache::link_last(BlockId block) {
  const BlockId end = blocks();
  Block& it = blocks_[block];
  it.before = blocks_[end].before;
  it.after = end;
  blocks_[it.before].after = block;
  blocks_[end].before = block;
  ++unused_;
}

BlockId KvCache::take() {
  SEPTET_ASSERT(unused_ > 0);
  const BlockId block = blocks_[blocks()].after;
  unlink(block);
  Block& it = blocks_[block];
  if (it.key != kNoKey) {
    if (it.listed) listed_.erase(it.key);
    it.key = kNoKey;
    it.listed = false;
    ++evicted_;
  }
  it.users = 1;
  return block;
}

std::optional<BlockId> KvCache::find(BlockKey key) const {
  const auto found = listed_.find(key);
  return found == listed_.end() ? std::nullopt : std::optional(found->second);
}

void KvCache::use(BlockId block) {
  if (blocks_[block].users++ == 0) unlink(block);
}

void KvCache::release(BlockId block) {
  SEPTET_ASSERT(blocks_[block].users > 0);
  if (--blocks_[block].users == 0) link_last(block);
}

void KvCache::name(BlockId block, BlockKey key, bool listed) {
  Block& it = blocks_[block];
  if (it.key != kNoKey) return;
  if (listed && !listed_.try_emplace(key, block).second) return;
  it.key = key;
  it.listed = listed;
}

}  // namespace septet::serving
