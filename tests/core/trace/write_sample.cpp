// Writes the sample trace for the Python test: write_sample PATH
#include <cstdio>
#include <exception>

#include "tests/core/trace/sample.hpp"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  try {
    septet::sample::write_file(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
