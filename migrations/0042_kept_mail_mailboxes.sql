ALTER TABLE "kept_mails" ADD COLUMN "mailbox" "bytea";--> statement-breakpoint
CREATE INDEX "kept_mails_mailbox" ON "kept_mails" USING btree ("mailbox","at");