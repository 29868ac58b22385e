"""The domain specification: values, files, checks, assembly. No model calls."""
