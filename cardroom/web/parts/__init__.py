"""What pages share: access, navigation, formats of money, cards and clocks, tables of figures, forms of commands."""
