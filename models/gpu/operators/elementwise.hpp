// Operators that touch each element once, and gathers of rows: kernels in the form that the kernel
// model times. Counts of instructions are those of the frameworks' kernels, per warp.
#pragma once

#include "models/gpu/operators/operand_state.hpp"
#include "models/program/kernel.hpp"

namespace septet {

// Arithmetic instructions an element, counted in the kernels' code: sums and products with their
// conversions; GELU (with erf); SiLU; a cast.
constexpr double kAddInstructions = 4;
constexpr double kGeluInstructions = 31;
constexpr double kSiluInstructions = 17;
constexpr double kCastInstructions = 8;

// Contiguous operands: 128 threads, each 8 elements of two bytes (4 of four) of every operand.
Kernel elementwise_kernel(const GpuSpec& gpu, const Elementwise& what, const OperandState& state);

// Operands that aren't contiguous: 4 elements a thread, one at a time with index arithmetic.
Kernel strided_kernel(const GpuSpec& gpu, const Elementwise& what, const OperandState& state);

// Rows of a table by index (embedding): the index, then 16 bytes a thread.
Kernel gather_kernel(const GpuSpec& gpu, double rows, double columns, double size,
                     const OperandState& state);

}  // namespace septet
