# Libraries from Debian's packages (the list of packages is tools/packages.txt): for the build, and
# for who links what was installed.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(TBB REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(nlohmann_json REQUIRED)
find_package(RapidJSON REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C HL)

# Imported, so that each project finds HDF5 where it is on its machine.
if(NOT TARGET septet_hdf5)
  add_library(septet_hdf5 INTERFACE IMPORTED GLOBAL)
  target_include_directories(septet_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(septet_hdf5 INTERFACE ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
endif()

# Debian's package has no description for CMake.
if(NOT TARGET septet_re2)
  find_library(SEPTET_RE2_LIBRARY re2 REQUIRED)
  add_library(septet_re2 INTERFACE IMPORTED GLOBAL)
  target_link_libraries(septet_re2 INTERFACE ${SEPTET_RE2_LIBRARY})
endif()
