CREATE TABLE "event_notices" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"moved_from" jsonb,
	"moves" integer DEFAULT 0 NOT NULL,
	"reminded_of" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "event_notices" ADD CONSTRAINT "event_notices_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mails_waiting" ON "mails" USING btree ("user_id","letter","topic") WHERE topic is not null and finished_at is null and attempts = 0;