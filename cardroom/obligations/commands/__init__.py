"""Commands on obligations: adding, changing, owner, note, document, done with proof, not applicable, reopening."""
