CREATE TABLE "sign_in_failures" (
	"mailbox" "bytea" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sign_in_failures_count" CHECK ("sign_in_failures"."failures" >= 0)
);
--> statement-breakpoint
CREATE INDEX "sign_in_failures_end" ON "sign_in_failures" USING btree ("ends_at");