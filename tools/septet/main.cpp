#include "tools/septet/commands.hpp"
#include "tools/septet/interrupt.hpp"

int main(int count, char** words) {
  septet::install_interrupt_handlers();
  return septet::run_program(septet::septet_commands(), {words + 1, words + count});
}
