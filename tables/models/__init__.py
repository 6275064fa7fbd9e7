"""What the floor remembers."""

from tables.models.cards import RoundCards
from tables.models.device import Device, DeviceKind, DeviceState, VersionRule
from tables.models.duty import TableDuty
from tables.models.open_case import OpenCase
from tables.models.round import Round, RoundState
from tables.models.sensor import SensorAlarm, SensorEvent
from tables.models.sign import Sign, SignMeter
from tables.models.surveillance import SurveillanceTick
from tables.models.table import Link, Profile, Table, TableState

__all__ = [
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
    "TableDuty",
    "TableState",
    "VersionRule",
]
