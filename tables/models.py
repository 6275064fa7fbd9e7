"""What the floor remembers. Each subject has its own; Django finds them all here."""

from tables.custody.models import CustodyItem, CustodyMove
from tables.floor.models.check import TableCheck
from tables.floor.models.collection import TableCollection
from tables.floor.models.device import Device, DeviceKind, DeviceState, VersionRule
from tables.floor.models.duty import TableDuty
from tables.floor.models.limit_sheet import EnteredLimits
from tables.floor.models.outage import Outage
from tables.floor.models.own_pay_table import OwnPayTable, OwnTableState
from tables.floor.models.restored import ComparisonState, RestoredTable
from tables.floor.models.schedule import NotedSchedule
from tables.floor.models.sign import Sign, SignMeter, SignTally
from tables.floor.models.table import Bank, FurtherWager, Link, Profile, Table, TableState
from tables.hits.models.cards import RoundCards
from tables.hits.models.open_case import OpenCase
from tables.hits.models.surveillance import SurveillanceTick
from tables.play_sums.models import ChangedPlay, SummedHalfHour, SummedPlay, SummedWager, SumsBegun
from tables.player_dealer.models import BankedHand, HandSettlement, SettledWager, SpotWager
from tables.rounds.models.further import FurtherCoinIn
from tables.rounds.models.kept_back import KeptBack, KeptState
from tables.rounds.models.play_hour import PlayHour
from tables.rounds.models.round import Round, RoundState
from tables.rounds.models.sensor import SensorAlarm, SensorEvent
from tables.slip_book.models import HandSlip, SlipBook, SlipBookMove

__all__ = [
    "Bank",
    "BankedHand",
    "ChangedPlay",
    "ComparisonState",
    "CustodyItem",
    "CustodyMove",
    "Device",
    "DeviceKind",
    "DeviceState",
    "EnteredLimits",
    "FurtherCoinIn",
    "FurtherWager",
    "HandSettlement",
    "HandSlip",
    "KeptBack",
    "KeptState",
    "Link",
    "NotedSchedule",
    "OpenCase",
    "Outage",
    "OwnPayTable",
    "OwnTableState",
    "PlayHour",
    "Profile",
    "RestoredTable",
    "Round",
    "RoundCards",
    "RoundState",
    "SensorAlarm",
    "SensorEvent",
    "SettledWager",
    "Sign",
    "SignMeter",
    "SignTally",
    "SlipBook",
    "SlipBookMove",
    "SpotWager",
    "SummedHalfHour",
    "SummedPlay",
    "SummedWager",
    "SumsBegun",
    "SurveillanceTick",
    "Table",
    "TableCheck",
    "TableCollection",
    "TableDuty",
    "TableState",
    "VersionRule",
]
