"""The pages themselves, by noun: each reads through selectors, writes through services, and shows a template."""
