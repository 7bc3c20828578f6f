"""The tools that are compared, each as: its files, its command, its pages."""
