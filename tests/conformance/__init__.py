"""Our console beside ale-py: the same ROM, settings and actions have to give the same bytes."""
