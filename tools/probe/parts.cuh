// The parts of the probe, each in a file of its name.
#pragma once

#include "tools/probe/measure.cuh"

namespace probe {

// Device attributes and what only a clock on the GPU shows, as JSON.
void write_device(std::FILE* file, int index, const Device& device);
double sm_gigahertz();

void measure_launches(Rows& rows, const Device& device);   // group launch
void measure_graphs(Rows& rows, const Device& device);     // group graph
void measure_streams(Rows& rows, const Device& device);    // groups streams and sharing
void measure_blocks(Rows& rows, const Device& device);     // groups dispatch and waves
void measure_queue(Rows& rows, const Device& device);      // group queue
void measure_copies(Rows& rows, const Device& device);     // group copy
void measure_bandwidth(Rows& rows, const Device& device);  // group memory: streams
void measure_latency(Rows& rows, const Device& device);    // group memory: one access
void measure_pipes(Rows& rows, const Device& device);      // group compute: op, matrix
void measure_fetch(Rows& rows, const Device& device);      // group compute: icache, diverge
void measure_roofline(Rows& rows, const Device& device);   // group roofline

}  // namespace probe
