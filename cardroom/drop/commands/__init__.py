"""Commands of drop and count. Each locks the room; what it needs of a box it checks under the room's lock.

They are taken on any version of the room: two people who count at once are not behind because of one another.
"""
