"""Operations: process supervisor, backup, restore, move to another database, metrics."""
