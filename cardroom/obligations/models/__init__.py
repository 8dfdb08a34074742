"""Models of obligations."""

from .obligations import Obligation, ObligationStep

__all__ = ["Obligation", "ObligationStep"]
