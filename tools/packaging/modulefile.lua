-- Septet, wherever this installation lies: PREFIX/share/modulefiles/septet/VERSION.lua.
local folder = myFileName():match("^(.*)/[^/]*$")
local prefix = folder:match("^(.*)/[^/]+/[^/]+/[^/]+$")

help("Septet simulates GPUs and clusters of them: septet --help, man septet")
whatis("Description: simulator of GPUs and clusters of them")
conflict("septet")

prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
