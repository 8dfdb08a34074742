"""Documents: figures computed once and rendered as HTML, PDF, XLSX, CSV and JSON that agree to the cent.

A caller builds a `ReportDocument` (`cardroom.documents.document`); every format is rendered from it alone. Layout and
numbers only: no models here, and no clock.
"""
