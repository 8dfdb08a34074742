"""Bundles for an inspector: what a table played in some days, as documents and as records that prove them."""
