# Puts each manual page of `septet --help=man` into a file of its own: DIRECTORY/septet-run.1.
/^\.TH / { file = directory "/" tolower($2) ".1" }
{ print > file }
