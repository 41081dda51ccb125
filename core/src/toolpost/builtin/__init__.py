"""The plugins that come with the core. They are plugins like any other: the framework never imports them by itself."""
