"""Reads a feed the way programs in Python do and prints what feedparser made of it."""

import json
import sys

import feedparser

url, etag, modified = (sys.argv + ["", ""])[1:4]
feed = feedparser.parse(url, etag=etag or None, modified=modified or None)


def entry(one):
    return {
        "id": one.get("id"),
        "guidislink": one.get("guidislink", False),
        "title": one.get("title"),
        "link": one.get("link"),
        "author": one.get("author"),
        "published": one.get("published"),
        "updated": one.get("updated"),
        "tags": [tag["term"] for tag in one.get("tags", [])],
        "content": [part["value"] for part in one.get("content", [])],
        "enclosures": [{"href": e.get("href"), "type": e.get("type")} for e in one.get("enclosures", [])],
    }


print(
    json.dumps(
        {
            "status": feed.get("status"),
            "bozo": bool(feed.bozo),
            "why": str(feed.get("bozo_exception", "")),
            "version": feed.version,
            "etag": feed.get("etag"),
            "modified": feed.get("modified"),
            "title": feed.feed.get("title"),
            "ttl": feed.feed.get("ttl"),
            "links": [[link.get("rel"), link.get("href")] for link in feed.feed.get("links", [])],
            "entries": [entry(one) for one in feed.entries],
        }
    )
)
