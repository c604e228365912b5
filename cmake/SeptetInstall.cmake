# What `cmake --install` puts under a prefix. Nothing there knows the prefix or the source tree, so
# that the whole can be moved: the command finds its data in ../share/septet.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Libraries outside of the system's folders, as of modules on a cluster, are found where they were.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

set(septet_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Septet)

# All that `cmake --install` needs; tests are no part of it.
add_custom_target(installable)

# A library with its target in the CMake package.
function(septet_install_library name)
  string(REGEX REPLACE "^septet_" "" short_name ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short_name})
  target_compile_features(${name} PUBLIC cxx_std_20)
  install(TARGETS ${name} EXPORT SeptetTargets ARCHIVE COMPONENT development)
  add_dependencies(installable ${name})
endfunction()

# A folder of the build as share/septet of an installation: data, and the scenarios that come with
# Septet.
function(septet_link_shipped folder)
  if(IS_SYMLINK ${folder})
    file(REMOVE ${folder})  # older builds had a link to data/ here
  endif()
  file(MAKE_DIRECTORY ${folder}/scenarios)
  file(GLOB names RELATIVE ${PROJECT_SOURCE_DIR}/data ${PROJECT_SOURCE_DIR}/data/*)
  list(FILTER names EXCLUDE REGEX "\\.md$")
  foreach(name ${names})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/data/${name} ${folder}/${name} SYMBOLIC)
  endforeach()
  foreach(name article shipped)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/scenarios/${name} ${folder}/scenarios/${name} SYMBOLIC)
  endforeach()
endfunction()

# Headers keep their paths: #include "core/engine/simulation.hpp".
foreach(layer core models scenarios)
  install(DIRECTORY ${layer} DESTINATION include/septet COMPONENT development
          FILES_MATCHING PATTERN "*.hpp"
          PATTERN "shipped" EXCLUDE PATTERN "article" EXCLUDE)
endforeach()

install(EXPORT SeptetTargets NAMESPACE Septet:: DESTINATION ${septet_package_folder}
        COMPONENT development)
configure_package_config_file(cmake/SeptetConfig.cmake.in SeptetConfig.cmake
                              INSTALL_DESTINATION ${septet_package_folder})
write_basic_package_version_file(SeptetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SeptetConfig.cmake
              ${PROJECT_BINARY_DIR}/SeptetConfigVersion.cmake
              cmake/SeptetDependencies.cmake
        DESTINATION ${septet_package_folder} COMPONENT development)

# Data, and the scenarios that come with Septet.
install(DIRECTORY data/ DESTINATION share/septet COMPONENT command
        PATTERN "README.md" EXCLUDE PATTERN "DEVIATIONS.md" EXCLUDE PATTERN "fit" EXCLUDE)
install(FILES data/fit/operator_errors.jsonl data/fit/validation_errors.jsonl
        DESTINATION share/septet/fit COMPONENT command)
foreach(folder shipped article)
  install(DIRECTORY scenarios/${folder} DESTINATION share/septet/scenarios COMPONENT command
          PATTERN "README.md" EXCLUDE PATTERN "CMakeLists.txt" EXCLUDE)
endforeach()

# What the formats are.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
foreach(document scenarios/FORMAT.md scenarios/KERNELS.md scenarios/WHATIFS.md
                 scenarios/claims/FORMAT.md models/records/FORMAT.md data/measurements/FORMAT.md
                 data/DEVIATIONS.md)
  get_filename_component(folder ${document} DIRECTORY)
  install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT command)
endforeach()

# `module use PREFIX/share/modulefiles`, for Environment Modules and for Lmod.
foreach(suffix "" .lua)
  install(FILES tools/packaging/modulefile${suffix} DESTINATION share/modulefiles/septet
          RENAME ${PROJECT_VERSION}${suffix} COMPONENT command)
endforeach()
