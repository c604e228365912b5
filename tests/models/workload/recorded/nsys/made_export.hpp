// Exports of Nsight Systems made by hand: tables with the columns that a test needs.
#pragma once

#include <stdexcept>
#include <string>

#include <sqlite3.h>

#include "models/workload/recorded/recorded_reader.hpp"
#include "tests/models/workload/recorded/kineto/trace_file.hpp"

namespace septet::test {

class MadeExport {
 public:
  MadeExport() {
    if (sqlite3_open(path().c_str(), &database_) != SQLITE_OK) throw std::runtime_error("sqlite");
    run("PRAGMA journal_mode = OFF");
  }
  ~MadeExport() { sqlite3_close(database_); }
  MadeExport(const MadeExport&) = delete;
  MadeExport& operator=(const MadeExport&) = delete;

  MadeExport& run(const std::string& statement) {
    if (sqlite3_exec(database_, statement.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
      throw std::runtime_error(statement + ": " + sqlite3_errmsg(database_));
    }
    return *this;
  }

  // The texts that the tables below name: 1 to 4.
  MadeExport& strings() {
    return run("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)")
        .run(
            "INSERT INTO StringIds VALUES (1, 'void gemm<float>(int)'), (2, 'gemm'), "
            "(3, 'cudaLaunchKernel_v7000'), (4, 'worker')");
  }

  std::string path() const { return (directory_.path() / "step.sqlite").string(); }
  recorded::RecordedTrace read() const { return recorded::read_recorded(path()); }

  // Why it can't be read, without the folder; "" when it can.
  std::string refusal() const {
    try {
      read();
      return "";
    } catch (const ConfigError& error) {
      return std::string(error.what()).substr(directory_.path().string().size() + 1);
    }
  }

 private:
  TemporaryDirectory directory_;
  sqlite3* database_ = nullptr;
};

// A serialised thread id, as the export has it.
constexpr long long global_thread(long long pid, long long thread) { return pid << 24 | thread; }

}  // namespace septet::test
