"""`python -m toolpost` is `toolpost`."""

import sys

from toolpost.cli import main

sys.exit(main())
