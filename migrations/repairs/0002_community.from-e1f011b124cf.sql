-- The first text of this migration indexed published events alone, and by their end.
DROP INDEX "events_by_start";--> statement-breakpoint
DROP INDEX "events_by_over";--> statement-breakpoint
DROP INDEX "events_by_rsvps";--> statement-breakpoint
DROP INDEX "events_by_age";--> statement-breakpoint
CREATE INDEX "events_by_start" ON "events" USING btree ("start_time","id") WHERE status <> 'draft';--> statement-breakpoint
CREATE INDEX "events_span" ON "events" USING gist (tstzrange("start_time", "over_at")) WHERE status <> 'draft';--> statement-breakpoint
CREATE INDEX "events_by_rsvps" ON "events" USING btree ("rsvp_count","id") WHERE status <> 'draft';--> statement-breakpoint
CREATE INDEX "events_by_age" ON "events" USING btree ("created_at","id") WHERE status <> 'draft';
