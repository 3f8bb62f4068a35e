"""Every sentence in four languages."""
