#include "scenarios/sweep/journal.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <zlib.h>

#include "core/files/file_error.hpp"
#include "core/files/input.hpp"
#include "scenarios/sweep/result_text.hpp"

namespace septet::sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kSumDigits = 8;

std::string with_sum(const std::string& text) {
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  return fmt::format("{} {:08x}\n", text, sum);
}

// The text of a line without its sum; nothing where that is not right.
std::optional<std::string> checked(const std::string& line) {
  if (line.size() < kSumDigits + 1) return std::nullopt;
  const std::string text = line.substr(0, line.size() - kSumDigits - 1);
  return with_sum(text) == line + "\n" ? std::optional(text) : std::nullopt;
}

std::string head_of(const std::string& sweep) { return Json::array({sweep}).dump(); }

struct Content {
  Results results;
  std::size_t whole = 0;  // bytes of lines that are right
};

Content content_of(const std::filesystem::path& path, const std::string& text,
                   const std::string& sweep) {
  Content out;
  bool first = true;
  while (out.whole < text.size()) {
    const std::size_t end = text.find('\n', out.whole);
    if (end == std::string::npos) break;
    const auto line = checked(text.substr(out.whole, end - out.whole));
    if (!line) break;
    if (first && *line != head_of(sweep)) {
      throw ConfigError({path.string(), 1},
                        "is the journal of another sweep: the scenario, --set, the data or the "
                        "version changed; use another folder, or remove it");
    }
    if (!first) {
      NamedResult one = read_result(*line);
      out.results.insert_or_assign(std::move(one.point), std::move(one.result));
    }
    first = false;
    out.whole = end + 1;
  }
  return out;
}

void write_all(int descriptor, const std::string& text, const std::filesystem::path& path) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) files::fail(path, "cannot be written", errno);
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace

Journal::Journal(const std::filesystem::path& path, const std::string& sweep,
                 const files::Lease::Tell& tell)
    : path_(path), lock_(path), lease_(path, tell), synced_(std::chrono::steady_clock::now()) {
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) files::fail(path, "cannot be opened", errno);
  try {
    Content content = content_of(path, files::read_text(path), sweep);
    if (ftruncate(descriptor_, static_cast<off_t>(content.whole)) != 0) {
      files::fail(path, "cannot be written", errno);
    }
    results_ = std::move(content.results);
    if (content.whole == 0) write_all(descriptor_, with_sum(head_of(sweep)), path);
    sync();
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Journal::~Journal() { close(descriptor_); }

void Journal::add(const std::string& point, const PointResult& result) {
  constexpr std::chrono::milliseconds kBetweenSyncs{250};
  const std::string line = with_sum(result_text(point, result));
  const std::lock_guard lock(mutex_);
  lease_.check();
  write_all(descriptor_, line, path_);
  results_.insert_or_assign(point, result);
  const auto now = std::chrono::steady_clock::now();
  if (now - synced_ < kBetweenSyncs) return;
  synced_ = now;
  sync();
}

void Journal::sync() {
  if (fdatasync(descriptor_) != 0 && errno != EINVAL) {
    files::fail(path_, "cannot be written", errno);
  }
}

Results read_journal(const std::filesystem::path& path, const std::string& sweep) {
  return content_of(path, files::read_text(path), sweep).results;
}

void merge_into(Results& all, Results more) {
  for (auto& [point, result] : more) {
    const auto known = all.find(point);
    const bool better = known == all.end() || !is_result(known->second.status);
    if (better) all.insert_or_assign(point, std::move(result));
  }
}

}  // namespace septet::sweep
