ALTER TABLE "data_exports" ALTER COLUMN "size" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "data_exports" ADD COLUMN "grant_id" uuid;--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("target_id","at","id");--> statement-breakpoint
CREATE INDEX "personal_tokens_expiry" ON "personal_tokens" USING btree ("expires_at","id") WHERE expires_at is not null;