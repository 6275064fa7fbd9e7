"""What the floor remembers."""

from tables.models.cards import RoundCards
from tables.models.check import TableCheck
from tables.models.device import Device, DeviceKind, DeviceState, VersionRule
from tables.models.duty import TableDuty
from tables.models.open_case import OpenCase
from tables.models.round import Round, RoundState
from tables.models.sensor import SensorAlarm, SensorEvent
from tables.models.sign import Sign, SignMeter
from tables.models.surveillance import SurveillanceTick
from tables.models.table import Bank, Link, Profile, Table, TableState

__all__ = [
    "Bank",
    "Device",
    "DeviceKind",
    "DeviceState",
    "Link",
    "OpenCase",
    "Profile",
    "Round",
    "RoundCards",
    "RoundState",
    "SensorAlarm",
    "SensorEvent",
    "Sign",
    "SignMeter",
    "SurveillanceTick",
    "Table",
    "TableCheck",
    "TableDuty",
    "TableState",
    "VersionRule",
]
