"""Server-sent events: views that let a page listen, the streams, and the hub that feeds them."""
