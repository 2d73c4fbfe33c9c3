ALTER TABLE "oauth_clients" ADD COLUMN "registration_hash" "bytea";--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_clients_public_registration" ON "oauth_clients" USING btree ("registration_hash") WHERE auth_method = 'none';--> statement-breakpoint
CREATE INDEX "oauth_clients_secret_registration" ON "oauth_clients" USING btree ("registration_hash") WHERE auth_method <> 'none' and registration_hash is not null;