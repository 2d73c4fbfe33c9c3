-- Zones were stored as they were typed, and programs that read them tell `europe/berlin` from `Europe/Berlin`.
UPDATE "events" SET "timezone" = "zone"."name" FROM pg_timezone_names "zone"
WHERE lower("zone"."name") = lower("events"."timezone") AND "zone"."name" <> "events"."timezone";--> statement-breakpoint
UPDATE "users" SET "time_zone" = "zone"."name" FROM pg_timezone_names "zone"
WHERE lower("zone"."name") = lower("users"."time_zone") AND "zone"."name" <> "users"."time_zone";
