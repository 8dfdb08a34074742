"""Tests of drop and count."""
