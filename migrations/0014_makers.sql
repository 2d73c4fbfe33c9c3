ALTER TABLE "oauth_clients" ADD COLUMN "made_by_grant" uuid;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "maker" text DEFAULT 'person' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "made_by_token" uuid;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "made_by_grant" uuid;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "disabled_reason" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_made_by_grant_oauth_grants_id_fk" FOREIGN KEY ("made_by_grant") REFERENCES "public"."oauth_grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_made_by_token" FOREIGN KEY ("made_by_token") REFERENCES "public"."personal_tokens"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_made_by_grant" FOREIGN KEY ("made_by_grant") REFERENCES "public"."oauth_grants"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oauth_clients_of_grant" ON "oauth_clients" USING btree ("made_by_grant") WHERE made_by_grant is not null;--> statement-breakpoint
CREATE INDEX "webhooks_of_token" ON "webhooks" USING btree ("made_by_token") WHERE made_by_token is not null;--> statement-breakpoint
CREATE INDEX "webhooks_of_grant" ON "webhooks" USING btree ("made_by_grant") WHERE made_by_grant is not null;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_maker" CHECK ("webhooks"."maker" in ('person', 'token', 'grant') and ("webhooks"."made_by_token" is null or "webhooks"."maker" = 'token')
        and ("webhooks"."made_by_grant" is null or "webhooks"."maker" = 'grant'));--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_disabled" CHECK ("webhooks"."disabled_reason" is null or (not "webhooks"."is_active"
        and "webhooks"."disabled_reason" in ('gone', 'failing', 'token_revoked', 'access_ended')));
--> statement-breakpoint
-- A webhook ends with what made it, whoever deletes that and however. One that has ended is never on: whoever wants it
-- on again takes it over, in the same change. One that is on has no reason to be off.
CREATE FUNCTION end_with_maker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.maker <> 'person' AND NEW.made_by_token IS NULL AND NEW.made_by_grant IS NULL THEN
		NEW.is_active := false;
		NEW.disabled_reason := CASE NEW.maker WHEN 'token' THEN 'token_revoked' ELSE 'access_ended' END;
	ELSIF NEW.is_active THEN
		NEW.disabled_reason := NULL;
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER webhooks_end BEFORE UPDATE OF made_by_token, made_by_grant, is_active ON webhooks
FOR EACH ROW EXECUTE FUNCTION end_with_maker();
