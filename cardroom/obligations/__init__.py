"""The room's calendar of obligations: filings, licences, permits, contracts, taxes and fees, with owner, day and proof."""
