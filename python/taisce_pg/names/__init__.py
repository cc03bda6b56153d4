"""Names: their normal form, and the candidates a question is cut into."""
