# Writes HEADER with the commit of the source tree SOURCE and its day. Run at each build; the file
# is only touched when its content changes.
cmake_minimum_required(VERSION 3.25)

find_package(Git QUIET)
set(commit "")
set(date "")
if(GIT_FOUND)
  # Without the check of who owns the folder: nothing of the repository's configuration runs.
  set(git ${GIT_EXECUTABLE} -c safe.directory=* -C ${SOURCE})
  execute_process(COMMAND ${git} describe --always --abbrev=12 --exclude=* --dirty=+
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} log -1 --format=%cs
                  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${HEADER} @ONLY CONTENT
     "#define SEPTET_COMMIT \"@commit@\"\n#define SEPTET_COMMIT_DATE \"@date@\"\n")
