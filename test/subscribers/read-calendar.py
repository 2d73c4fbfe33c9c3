"""Reads a calendar from standard input with Debian's icalendar and prints its events as JSON.

Times that have a zone are placed twice: by the tz database of this machine (zoneinfo), and by the VTIMEZONE of the calendar (dateutil).
"""

import datetime
import io
import json
import sys
import zoneinfo

import dateutil.tz
import icalendar

raw = sys.stdin.buffer.read()
calendar = icalendar.Calendar.from_ical(raw)
described = {str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")}
# Only the zones: dateutil looks at every line, and would look for a long time.
zones = b"".join(zone.to_ical() for zone in calendar.walk("VTIMEZONE")).decode()
own = dateutil.tz.tzical(io.StringIO(zones)) if described else None


def times(event, name):
    value = event[name]
    zone = value.params.get("TZID")
    clock = value.dt.replace(tzinfo=None)
    if zone is None:
        assert value.dt.utcoffset() == datetime.timedelta(0), "a floating time"
        seconds = clock.replace(tzinfo=datetime.timezone.utc).timestamp()
        return [seconds, seconds]
    assert zone in described, "a zone that is not described"
    return [clock.replace(tzinfo=zoneinfo.ZoneInfo(zone)).timestamp(), clock.replace(tzinfo=own.get(zone)).timestamp()]


def categories(event):
    found = event.get("CATEGORIES")
    return [] if found is None else [str(one) for one in found.cats]


def read(event):
    text = lambda name: None if event.get(name) is None else str(event[name])
    geo = event.get("GEO")
    (start, own_start), (end, own_end) = times(event, "DTSTART"), times(event, "DTEND")
    return {
        "uid": text("UID"),
        "sequence": int(event["SEQUENCE"]),
        "stamp": times(event, "DTSTAMP")[0],
        "created": times(event, "CREATED")[0],
        "modified": times(event, "LAST-MODIFIED")[0],
        "start": own_start,
        "end": own_end,
        "summary": text("SUMMARY"),
        "description": text("DESCRIPTION"),
        "location": text("LOCATION"),
        "geo": None if geo is None else [geo.latitude, geo.longitude],
        "url": text("URL"),
        "conference": text("CONFERENCE"),
        "categories": categories(event),
        "status": text("STATUS"),
        "transparency": text("TRANSP"),
        "inDatabase": [start, end],
    }


json.dump([read(event) for event in calendar.walk("VEVENT")], sys.stdout)
