"""Measurements that anyone can repeat: `python -m benchmarks.peers`, `.scale`, `.cluster`."""
