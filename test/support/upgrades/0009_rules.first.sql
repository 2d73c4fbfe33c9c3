DROP INDEX "outbox_pending";--> statement-breakpoint
CREATE INDEX "outbox_pending" ON "outbox" USING btree ("created_at","id") WHERE relayed_at is null;