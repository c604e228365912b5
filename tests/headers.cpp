// Compiled for its precompiled header, which all tests share.
#include <gtest/gtest.h>
