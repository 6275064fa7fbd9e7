"""What the examples of the OpenAPI document are made of: for each name a value as a house has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

SHA256: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
AMOUNT: Final = "20001.40"

TEXTS: Final[Mapping[str, str]] = {
    "about": "slip 142", "account": "meter", "act": "award", "action": "4x", "actor": "Demo Supervisor",
    "added_by": "Demo Accountant", "address": "https://ledger.example/fairmeter", "advance": "0.00", "after": "60",
    "amount": AMOUNT, "answer": "", "approval": "GL-2026-114", "approved_by": "Demo Executive", "as_few": "0.4118",
    "as_many": "0.7265", "asked_by": "Demo Supervisor", "average_wager": "1.0000", "badge": "6000000000000101",
    "before": "70", "best": "raise 4x", "bet": "progressive", "bets": "progressive", "board": "Ah Kh Qh 2s 3d",
    "by": "Demo Supervisor", "card": "6000000000000201", "cards": "Jh Th", "chance": "0.0000325",
    "chance_percent": "0.00325", "changes": "Table UTH-04: new", "check": "-0.1240", "cheque": "", "code": "GRAND",
    "combinations": "133784560", "contact": "Table service, extension 17", "content": "JVBERi0xLjc=",
    "contributed": "2948.40", "copy": "ORIGINAL", "counted": "progressive",
    "csv": "code,seats,game\nUTH-05,7,uth\n", "currency": "USD", "dealer": "dealer", "decided_by": "Demo Executive",
    "deck_colour": "red", "deck_colours": "red", "drop_box": "B-04", "shuffler": "board_first",
    "decided_reason": "", "device": "UTH-04-C", "devices": "UTH-04-C", "digest": SHA256, "digest_found": SHA256,
    "done_by": "Demo Supervisor", "element_of_risk_percent": "0.5260", "enrol_code": "K7QM-2D9X-HT4W",
    "entries": "GRAND/88213", "evidence": "camera 7, 02:14", "exact": "21.4", "exact_percent": "21.40",
    "expected": "20201.15", "explanation": "The published figure leaves out ties.", "fee": "2.00",
    "file": "https://fairmeter.example/api/v1/requests/5/evidence/", "file_name": "sheet.pdf", "file_sha256": SHA256,
    "form": "W-2G", "document_number": "P998877",
    "filters": "period", "five": "Ah", "found": "20201.15", "game": "uth", "given_by": "Demo Executive",
    "shown_to": "Demo Administrator", "ended_with": "",
    "group": "money", "hand": "straight_flush", "held_why": "", "hit_frequency": "0.2054",
    "hit_frequency_percent": "20.54", "house_edge": "0.2140", "house_edge_percent": "21.40", "in_force": "70",
    "in_force_edge_percent": "23.50", "jackpot": "GRAND", "jackpots": "GRAND", "key": "key 3", "keys": "key 3",
    "kind": "award", "kinds": "books/award", "last_answer": "It answered 200 (OK).", "last_four": "0201",
    "least_percent": "18.40", "level": "supervisor", "licence": "GL-2026-114", "limit": "25000.00",
    "line": "straight_flush", "link": "up", "lost": "0.0000", "made_by": "Demo Supervisor", "marked_by": "Demo Dealer",
    "media_type": "application/pdf", "meter": AMOUNT, "method": "cash", "missing": "pin", "most_percent": "26.10",
    "name": "Grand Progressive", "needs": "base", "net": "17.00", "next": "/api/v1/wins/?limit=100&cursor=17",
    "next_level": "executive", "note": "Told by telephone, 09:20.", "notes": "Ties are returned.", "notice": "",
    "object": "slip 142", "of": "rate", "one_in": "30770", "other": "MINI", "outcome": "done",
    "overdue": "publish heads", "owner": "accountant", "paid_by": "Demo Cage", "parked": "UTH-04/118",
    "password": "the own password", "pay_table": "uth-progressive-01", "pay_table_digest": SHA256, "payer": "cage",
    "payer_name": "Demo Cage", "pays": "100 to 1", "person": "Demo Supervisor", "photo_sha256": SHA256, "pin": "2749",
    "place": "Window 2", "player_dealer_net": "0.00", "player_return": "0.7860", "prefix": "fm_1a2b3c4d",
    "premises": "EMERALD", "printed": "20.2", "printed_at": "page 4", "printer": "PIT-1", "profile": "card",
    "program": "progressive", "proof": SHA256, "property": "EMERALD", "proves": "royal_first_5",
    "raise_3x": "1.9140", "raise_4x": "2.5520", "rare": "royal_first_5", "reading": AMOUNT,
    "ready_by": "Demo Executive", "reason": "Sensor counted twice", "reference": "R-2026-118",
    "taker": "cage", "taker_name": "Demo Cage", "registered_by": "Demo Executive",
    "report": "wins", "request": SHA256, "requested_by": "Demo Supervisor", "returns": "0.0325",
    "returns_percent": "3.25", "roles": "supervisor", "sanity": "", "scopes": "read_books", "seal": SHA256,
    "second_card": "9000000000000001", "second_pin": "3301", "secret": SHA256, "seen": "7",
    "sentence": "Every entry of GRAND adds up.", "serial": "CS-20418", "model": "second generation", "set": "house",
    "settable": "70", "setting": "rate", "sha256": SHA256, "sheet_digest": SHA256, "shown": AMOUNT, "sign": "GRAND",
    "standing_words": "approved, under review (001:191)", "games": "trips/UTH-02",
    "signature": SHA256, "spots": "1100100", "stake": "1.00", "stopped": "MINI", "held": "MINI",
    "standard_deviation": "4.94", "state": "owed", "kept_back": "", "told_by": "node cage-2", "accepted_by": "",
    "subject": "GRAND", "table": "UTH-04", "text": "[property]\ncode = \"EMERALD\"\n", "title": "Progressive",
    "to": "Gaming commission", "token": "fm_1a2b3c4d_Zk3vT0mWcQ8rJx5uYb1nLpE7hGdSaF2oKiVtRqXwMzc",
    "told": "20201.15", "total": "2408.44", "uncovered": "0.00", "unit": "one wager", "unknown": "",
    "username": "supervisor", "begins": "2026-11-18", "until": "2027-11-17", "holder": "supervisor",
    "countersigner": "cage", "second": "Demo Cage", "purpose": "Change of the drop box", "old_seal": "S-104417",
    "new_seal": "S-104418", "table_state": "held",
    "variance": "24.40", "version": "6.10", "volatility_index": "9.68", "wager": "1.00", "what": "variance",
    "where": "GRAND/88213", "who": "Demo Executive", "why": "Sensor counted twice at UTH-04.",
    "withdrawn_by": "", "withdrawn_reason": "", "words": "Tell the commission of slip 142.", "worth": "2.5520",
    "written_by": "Demo Supervisor", "pit": "Pit 2", "unaccounted": "M-0003", "written_at": "2026-11-18T02:14:00Z",
}  # fmt: skip

NUMBERS: Final[Mapping[str, int]] = {
    "adjustment": 5, "after": 42, "award_entry": 88213, "behind": 0, "board_cards": 5, "card_number": 3, "cause": 5,
    "changed": 1, "chips": 2850, "coin_ins": 2850, "corrects": 88101, "count": 12, "deals": 15, "deliveries": 310,
    "difference_of": 17, "digits": 7, "drop": 412, "entries": 88213, "entry": 88213, "findings": 0,
    "first_entry": 88101, "fees": 2, "id": 17, "last": 42, "last_number": 42, "last_seq": 88213, "level": 2,
    "mark_entry": 88207, "next_round": 119, "number": 17, "percent": 70, "person": 4, "round": 118, "rounds": 402,
    "first": 118, "found_entry": 88190, "known_entry": 88213, "left": 0, "upto": 121,
    "seat": 3, "seats": 5, "seconds_left": 600, "seq": 88213, "slip": 142, "slips": 142, "uses": 1204, "win": 17,
    "within": 95, "next_blank": 12, "used": 8, "void": 1, "blank": 38,
}  # fmt: skip

FLAGS: Final[Mapping[str, bool]] = {
    "ok": True, "holds": True, "reported": True, "form_seen": True, "cards_checked": True,
}  # fmt: skip

# A name that means another thing at one place, and what has no fields of its own: by component and name.
SPECIAL: Final[Mapping[tuple[str, str], Any]] = {
    ("TableText", "code"): "UTH-04", ("DeviceText", "code"): "UTH-04-C", ("NewDevice", "code"): "UTH-04-C",
    ("DeviceCodeText", "code"): "K7QM-2D9X-HT4W", ("EnrolCode", "code"): "K7QM-2D9X-HT4W", ("CodeText", "code"):
    "H4WT-9D2X", ("FoundingWord", "code"): "X2D9-QM7K", ("GameText", "code"): "uth", ("RefusalText", "code"):
    "round_open", ("RefusalText", "why"): "Round 117 at UTH-04 is still open. Press END GAME first.",
    ("RefusalText", "ok"): False, ("NewWebhookText", "secret"):
    "fmw_Zk3vT0mWcQ8rJx5uYb1nLpE7hGdSaF2oKiVtRqXwMzc", ("WebhookText", "name"): "General ledger",
    ("NewWebhookText", "name"): "General ledger", ("WebhookWish", "name"): "General ledger",
    ("TokenState", "name"): "Business intelligence", ("NewTokenText", "name"): "Business intelligence",
    ("TokenWish", "name"): "Business intelligence", ("PersonText", "name"): "Demo Supervisor", ("PeopleWord", "name"):
    "Demo Supervisor", ("FounderWord", "name"): "Demo Supervisor", ("WinText", "name"): "Straight flush",
    ("PaidSlipText", "name"): "Straight flush", ("EvidenceText", "name"): "sheet.pdf",
    ("EvidenceWord", "name"): "sheet.pdf", ("FileWord", "name"): "emerald.toml", ("TokenState", "state"): "works",
    ("NewTokenText", "state"): "works", ("CopyText", "state"): "printed", ("AdjustmentText", "kind"): "adjust",
    ("RequestText", "kind"): "adjust", ("AdjustmentText", "reason"): "malfunction", ("RequestWord", "amount"): "15.00",
    ("RequestWord", "reading"): "0.00", ("ColumnText", "kind"): "money", ("ColumnText", "code"): "amount",
    ("ReportText", "code"): "wins", ("ReportText", "title"): "Win register",
    ("EventText", "subject"): "slip 142", ("EventText", "details"): {"amount": "2408.44", "method": "cash"},
    ("FeedEventText", "facts"): {"jackpot": "GRAND", "seq": 88213, "winners": "2408.44", "meter_after": AMOUNT},
    ("AdjustmentText", "shown"): {"before": {"meter": AMOUNT}, "after": {"meter": "20016.40"}},
    ("AdjustmentText", "posted"): {"before": {"meter": AMOUNT}, "after": {"meter": "20016.40"}},
    ("VersionText", "terms"): {"wager": "1.00", "seed": "10000.00", "rate": "70", "reserve_rate": "5"},
    ("ChangeText", "terms"): {"wager": "1.00", "seed": "12000.00", "rate": "60", "reserve_rate": "5"},
    ("WishText", "changes"): {"rate": "60"}, ("AuthorityWish", "changes"): {"executive_threshold": "7500.00"},
    ("WinText", "cards"): {"seat": "Ah Kh", "board": "Qh Jh Th 2s 3d"}, ("TableText", "last_round"): {"number": 118},
    ("HandAsked", "cards"): "Jh Th", ("HandAsked", "board"): "Ah Kh Qh 2s 3d", ("HandAsked", "dealer"): "7c 2d",
    ("HandQuestion", "cards"): "Jh Th Ah Kh Qh 2s 3d", ("HandQuestion", "board"): "Ah Kh Qh 2s 3d",
    ("HandQuestion", "dealer"): "7c 2d", ("HandQuestion", "tables"): {"trips": "uth-03"},
    ("PlayedSeat", "cards"): "Jh Th", ("SeatCards", "cards"): "Jh Th", ("RoundAsked", "board"): "Ah Kh Qh 2s 3d",
    ("RoundAsked", "dealer"): "7c 2d", ("PlayedSeat", "wagers"): {"ante": "10.00", "blind": "10.00"},
    ("BetsAsked", "wagers"): {"ante": "10.00", "blind": "10.00"}, ("FoundingWord", "property"): {
        "code": "EMERALD", "name": "Emerald Card Room", "timezone": "America/Los_Angeles", "currency": "USD",
    }, ("SectionsWord", "sections"): {"tables": [{"code": "UTH-05", "seats": 7}]},
    ("HouseText", "settings"): {"executive_threshold": "5000.00", "pin_from_level": 3},
    ("DecidedText", "wins"): [{"slip": 142, "amount": "2408.44", "seat": 3}], ("DecidedText", "missing"): None,
    ("ReportRowsText", "results"): [{"slip": 142, "amount": "2408.44"}],
    ("PaymentText", "gross"): "2408.44", ("PaymentText", "withheld"): "578.03", ("PaymentText", "net"): "1830.41",
    ("PaidSlipText", "gross"): "2408.44", ("PaidSlipText", "withheld"): "578.03", ("PaidSlipText", "net"): "1830.41",
    ("WinText", "amount"): "2408.44", ("AccountsText", "contributed"): "-3.75", ("AccountsText", "meter"): "3.50",
    ("AccountsText", "reserve"): "0.25", ("AccountsText", "overflow"): "0.00", ("AccountsText", "house"): "0.00",
    ("AccountsText", "winners"): "0.00", ("AccountsText", "paid"): "0.00", ("AccountsText", "outside"): "0.00",
    ("EntryText", "kind"): "coin_in", ("EntryText", "why"): "Coin-in of round 118 at UTH-04.",
    ("EntryText", "key"): "coin_in/UTH-04/118", ("EntryText", "corrects"): None, ("RoundEntryText", "kind"): "coin_in",
    ("RoundEntryText", "why"): "Coin-in of round 118 at UTH-04.", ("RoundEntryText", "key"): "coin_in/UTH-04/118",
    ("RoundEntryText", "corrects"): None, ("WinText", "state"): "paid", ("WinText", "difference_of"): None,
    ("WinText", "adjustment"): None, ("WinText", "hand"): "straight_flush", ("EventText", "act"): "pay",
    ("EventText", "why"): "", ("EventText", "actor"): "Demo Cage", ("RequestText", "state"): "in_force",
    ("RequestText", "withdrawn_at"): None, ("AdjustmentText", "state"): "approved", ("AdjustmentText", "other"): None,
    ("AdjustmentText", "win"): None, ("AdjustmentText", "reading"): None, ("AdjustmentText", "cause"): None,
    ("AdjustmentText", "amount"): "15.00", ("AdjustmentText", "slips"): [], ("AdjustmentText", "undecided"): [],
    ("CloseLineText", "name"): "GRAND", ("CloseLineText", "variance"): "0.00", ("TableText", "name"): "Table 4",
    ("TableText", "wager_name"): "Progressive", ("TableWagerText", "code"): "MEGA",
    ("TableWagerText", "name"): "Mega Royal", ("TableWagerText", "jackpots"): ["MEGA"],
    ("TableWagerText", "chip"): "5.00",
    ("TableText", "wager"): "1.00", ("RoundText", "wager"): "1.00", ("WholeRoundText", "wager"): "1.00",
    ("RoundText", "coin_in"): "3.00", ("WholeRoundText", "coin_in"): "3.00", ("RoundText", "seats"): [1, 2, 5],
    ("WholeRoundText", "seats"): [1, 2, 5], ("ComparedText", "name"): "rate", ("DiffersText", "name"): "rate",
    ("PersonText", "active"): True, ("TokenState", "revoked_at"): None, ("NewTokenText", "revoked_at"): None,
    ("WebhookText", "tries"): 0, ("WebhookText", "failing_since"): None, ("WebhookText", "paused_at"): None,
    ("WebhookText", "retired_at"): None, ("NewWebhookText", "tries"): 0, ("NewWebhookText", "failing_since"): None,
    ("NewWebhookText", "paused_at"): None, ("NewWebhookText", "retired_at"): None,
    ("NewWebhookText", "last_answer"): "", ("ReportRowsText", "totals"): {"amount": "2408.44"},
    ("HitsText", "hits"): [{"seat": 3, "hand": "straight_flush"}],
    ("SlipBookText", "code"): "BOOK-07", ("SlipBookText", "prefix"): "M-", ("SlipBookText", "missing"): ["M-0007"],
    ("SlipBookText", "first"): 1, ("SlipBookText", "last"): 50, ("SlipBookText", "digits"): 4,
    ("SlipBookAsked", "code"): "BOOK-07", ("SlipBookAsked", "prefix"): "M-", ("SlipBookAsked", "first"): 1,
    ("SlipBookAsked", "last"): 50, ("SlipBookAsked", "digits"): 4, ("HandSlipText", "printed"): "M-0012",
    ("HandSlipAsked", "number"): 12, ("HandSlipAsked", "amount"): "2408.44",
}  # fmt: skip

# Bodies of which no sender fills everything: what one of them sends.
WHOLE: Final[Mapping[str, Any]] = {
    "RequestWord": {
        "kind": "adjust", "jackpot": "GRAND", "account": "meter", "amount": "15.00", "reason": "malfunction",
        "why": "Sensor counted twice at UTH-04.", "evidence": "camera 7, 02:14",
    },
    "ProofText": {"card": "9000000000000001", "pin": "3301"},
    "RequestSignature": {"card": "9000000000000001", "pin": "3301"},
    "ApproveWord": {"card": "9000000000000001", "pin": "3301"},
    "PayWord": {"method": "cash", "place": "Window 2", "form_seen": True},
    "NewDevice": {"code": "UTH-04-C", "kind": "controller", "serial": "CS-20418", "table": "UTH-04"},
}  # fmt: skip

# Answers that are files or plain text.
MEDIA: Final[Mapping[str, str]] = {
    "text/plain": 'fairmeter_meter{jackpot="GRAND"} 20001.40\n', "text/csv": "slip,amount\n142,2408.44\n",
    "application/pdf": "%PDF-1.7 …", "application/zip": "PK …", "image/png": "\x89PNG …",
    "application/octet-stream": "(the file as it was added)",
}  # fmt: skip
