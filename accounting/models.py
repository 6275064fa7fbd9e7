"""What the office remembers. Each subject has its own; Django finds them all here."""

from accounting.paper.models.page import Copy, WinPage
from accounting.paper.models.printer import Printer, PrintJob

__all__ = [
    "Copy",
    "PrintJob",
    "Printer",
    "WinPage",
]
