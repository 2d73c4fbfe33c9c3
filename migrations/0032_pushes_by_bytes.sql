ALTER TABLE "feed_subscriptions" DROP CONSTRAINT "feed_subscriptions_feed_token_id_feed_tokens_id_fk";
--> statement-breakpoint
ALTER TABLE "feed_subscriptions" ADD COLUMN "asker" "bytea";--> statement-breakpoint
ALTER TABLE "feed_subscriptions" ADD COLUMN "bytes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "feed_subscriptions_asker" ON "feed_subscriptions" USING btree ("asker");