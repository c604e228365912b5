# Debian packages: `cpack --config build/release/CPackConfig.cmake` makes `septet` (the command and
# its data), `libseptet-dev` (headers, libraries, the CMake package) and `python3-septet`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Septet maintainers <maintainers@septet.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of GPUs and clusters of them")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command development)
if(TARGET septet_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_COMPONENT_COMMAND_DESCRIPTION
    "Septet follows every kernel launch from the CUDA call on the CPU to the last memory access,\n\
 on one GPU or on thousands, and answers what-if questions about recorded and described programs.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "The libraries of Septet, among them its parallel discrete-event engine, with headers and the\n\
 CMake package Septet.")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "The Python package septet: what the command does, with tables as numpy arrays and frames.")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME septet)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libseptet-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-septet)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "septet (= ${PROJECT_VERSION}), python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-pandas, python3-matplotlib")

# Who links the libraries needs what they were built with: the part "Libraries" of packages.txt.
file(STRINGS tools/packages.txt package_lines)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS tools/packages.txt)
set(library_packages "")
set(part "")
foreach(line ${package_lines})
  if(line MATCHES "^# (.+)$")
    set(part "${CMAKE_MATCH_1}")
  elseif(part STREQUAL "Libraries" AND line MATCHES "^([a-z0-9.+-]+)")
    list(APPEND library_packages ${CMAKE_MATCH_1})
  endif()
endforeach()
list(JOIN library_packages ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)

include(CPack)
