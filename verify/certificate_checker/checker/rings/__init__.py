"""What operators compute with: one meaning of an operator serves every ring."""
