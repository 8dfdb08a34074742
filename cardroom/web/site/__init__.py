"""Pages of the site itself: about, components, guides."""
