"""Three Card Poker: wagers, hands, settlement, procedures and odds, in five rulebooks."""
