"""What the office remembers."""

from accounting.models.page import Copy, WinPage
from accounting.models.printer import Printer, PrintJob

__all__ = ["Copy", "PrintJob", "Printer", "WinPage"]
