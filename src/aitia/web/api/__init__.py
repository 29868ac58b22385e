"""REST, a file for each thing that is asked about; every route is a plain function, run in a thread."""
