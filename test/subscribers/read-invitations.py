"""Reads calendars that came by mail from standard input with Debian's icalendar, and prints for whom their entries are as JSON."""

import json
import sys

import icalendar

calendars = icalendar.Calendar.from_ical(sys.stdin.buffer.read(), multiple=True)


def person(value):
    said = value.params
    return {"address": str(value), "name": said.get("CN"), "rsvp": said.get("RSVP"), "answer": said.get("PARTSTAT")}


def read(event):
    return {
        "uid": str(event["UID"]),
        "sequence": int(event["SEQUENCE"]),
        "organizer": person(event["ORGANIZER"]),
        "attendee": person(event["ATTENDEE"]),
    }


def entries(calendar):
    return {"method": str(calendar["METHOD"]), "events": [read(event) for event in calendar.walk("VEVENT")]}


json.dump([entries(calendar) for calendar in calendars], sys.stdout)
