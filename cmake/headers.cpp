// Nothing: the targets that compile common headers need a source.
