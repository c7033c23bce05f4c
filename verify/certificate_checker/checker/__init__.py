"""pet-check-certificate: checks a certificate of pet-verify, sharing no code with it."""
