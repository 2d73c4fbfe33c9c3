DROP INDEX "outbox_pending";--> statement-breakpoint
DROP INDEX "reactions_due";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "urgency" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "reactions" ADD COLUMN "urgency" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "outbox_pending" ON "outbox" USING btree ("urgency","created_at","id") WHERE relayed_at is null;--> statement-breakpoint
CREATE INDEX "reactions_due" ON "reactions" USING btree ("urgency","next_attempt_at") WHERE status = 'pending';