"""What stored reports of shifts and of periods share: the shape of their figures, how they are kept, read and built as a document."""
