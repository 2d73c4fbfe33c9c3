-- The first text of this migration had leases in an index, and no room in the pages of messages.
DROP INDEX "webhook_messages_leased";--> statement-breakpoint
ALTER TABLE webhook_messages SET (fillfactor = 70);
