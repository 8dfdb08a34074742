"""An application of the test run alone, whose `flush` takes the place of Django's."""
