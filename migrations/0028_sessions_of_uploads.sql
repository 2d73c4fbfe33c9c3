ALTER TABLE "uploads" DROP CONSTRAINT "uploads_maker";--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "made_by_session" uuid;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_made_by_session" FOREIGN KEY ("made_by_session") REFERENCES "public"."sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "uploads_of_session" ON "uploads" USING btree ("made_by_session") WHERE made_by_session is not null;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_maker" CHECK ("uploads"."maker" in ('person', 'token', 'grant', 'session')
        and ("uploads"."made_by_token" is null or "uploads"."maker" = 'token')
        and ("uploads"."made_by_grant" is null or "uploads"."maker" = 'grant')
        and ("uploads"."made_by_session" is null or "uploads"."maker" = 'session'));