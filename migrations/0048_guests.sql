CREATE TABLE "guests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"name" text,
	"email" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "guests_named" CHECK (num_nonnulls("guests"."name", "guests"."email") >= 1)
);
--> statement-breakpoint
ALTER TABLE "guests" ADD CONSTRAINT "guests_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "guests_email_once" ON "guests" USING btree ("event_id","email") WHERE email is not null;--> statement-breakpoint
CREATE INDEX "guests_of_event" ON "guests" USING btree ("event_id","id");--> statement-breakpoint
CREATE INDEX "guests_by_age" ON "guests" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "guests_by_email" ON "guests" USING btree ("email") WHERE email is not null;--> statement-breakpoint
ALTER TABLE "checkins" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
-- Added together, so that PostgreSQL need not look whether old rows keep to the reference: they have none.
ALTER TABLE "checkins" ADD COLUMN "guest_id" uuid CONSTRAINT "checkins_guest_id_guests_id_fk" REFERENCES "public"."guests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkins_of_guest" ON "checkins" USING btree ("guest_id") WHERE guest_id is not null;--> statement-breakpoint
ALTER TABLE "checkins" ADD CONSTRAINT "checkins_person_or_guest" CHECK (num_nonnulls("checkins"."user_id", "checkins"."guest_id") <= 1);
