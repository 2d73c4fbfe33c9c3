-- Facts that cannot be taken up wait by themselves; webhooks that are new or changed hear what comes; every secret that
-- was replaced signs for a day. The outbox is indexed in the order in which it is taken.
DROP INDEX "outbox_pending";--> statement-breakpoint
CREATE INDEX "outbox_pending" ON "outbox" USING btree ("created_at","id") WHERE relayed_at is null;--> statement-breakpoint
CREATE TABLE "webhook_unheard" (
	"webhook_id" uuid NOT NULL,
	"fact_id" uuid NOT NULL,
	CONSTRAINT "webhook_unheard_webhook_id_fact_id_pk" PRIMARY KEY("webhook_id","fact_id")
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "retry_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "old_secrets" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_unheard" ADD CONSTRAINT "webhook_unheard_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
UPDATE "webhooks" SET "old_secrets" = jsonb_build_array(jsonb_build_object(
	'sealed', translate(encode("previous_secret", 'base64'), E'\n', ''),
	'until', to_char("previous_until" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
WHERE "previous_secret" IS NOT NULL AND "previous_until" > now();
--> statement-breakpoint
ALTER TABLE "webhooks" DROP COLUMN "previous_secret";--> statement-breakpoint
ALTER TABLE "webhooks" DROP COLUMN "previous_until";