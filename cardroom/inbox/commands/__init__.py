"""Commands on items: owner, note, explanation, referral, closing and reopening."""
