"""The notes under the scripts of the SciDraft theme, in a browser."""
