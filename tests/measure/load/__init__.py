"""`make load`: a full room plays over HTTP on the site as it is deployed, and every answer is held to what it should be."""
