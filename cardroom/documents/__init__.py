"""Papers: what is told in figures, told once, and given as a page, PDF, XLSX, CSV and JSON that agree to the cent.

Whoever has something to tell makes a `Paper` (`cardroom.documents.document`); the forms are made from it and from nothing
else. Layout and numbers alone: no models here, and no clock.
"""
