-- The second text of this migration kept a list of facts that a webhook does not hear. A rule cannot say the same of
-- single facts: a webhook that was made or changed moments before the upgrade may hear of what happened before that.
DROP TABLE "webhook_unheard";--> statement-breakpoint
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
ALTER TABLE "webhook_past_rules" ADD CONSTRAINT "webhook_past_rules_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;
