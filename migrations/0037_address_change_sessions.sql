ALTER TABLE "address_changes" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "address_changes" ADD CONSTRAINT "address_changes_session" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_changes_held" ON "address_changes" USING btree (lower("old_email")) WHERE confirmed_at is not null and undone_at is null;--> statement-breakpoint
CREATE INDEX "address_changes_of_session" ON "address_changes" USING btree ("session_id") WHERE session_id is not null;