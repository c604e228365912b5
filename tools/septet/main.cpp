#include "tools/septet/commands.hpp"
#include "tools/septet/interrupt.hpp"
#include "tools/septet/standard_streams.hpp"

int main(int count, char** words) {
  septet::command::prepare_standard_streams();
  septet::command::install_interrupt_handlers();
  return septet::command::run_program(septet::command::septet_commands(),
                                      {words + 1, words + count});
}
