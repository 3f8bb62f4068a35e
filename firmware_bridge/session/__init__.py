"""An evening without a keyboard: menus by light, buttons, one game after another."""
