-- The first text of this migration changed the index of the outbox and nothing else.
CREATE TABLE "webhook_past_rules" (
	"webhook_id" uuid NOT NULL,
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_past_rules_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_types" text[] NOT NULL,
	"is_active" boolean NOT NULL,
	"until" "pg_snapshot" DEFAULT pg_current_snapshot() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_past_rules_webhook_id_place_pk" PRIMARY KEY("webhook_id","place")
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "retry_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "old_secrets" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_past_rules" ADD CONSTRAINT "webhook_past_rules_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
UPDATE "webhooks" SET "old_secrets" = jsonb_build_array(jsonb_build_object(
	'sealed', translate(encode("previous_secret", 'base64'), E'\n', ''),
	'until', to_char("previous_until" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
WHERE "previous_secret" IS NOT NULL AND "previous_until" > now();
--> statement-breakpoint
ALTER TABLE "webhooks" DROP COLUMN "previous_secret";--> statement-breakpoint
ALTER TABLE "webhooks" DROP COLUMN "previous_until";
