"""Form classes that subjects derive theirs from: a command's form, signed forms, fields of dollars and cards."""
