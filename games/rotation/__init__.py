"""The rotation of the bank by rules that are dated data, and the review of what a room recorded.

`steps.next_step` says who must be offered the bank next, and why.
"""
