-- Where people want to be once they are back from a provider's may be longer than a browser keeps a cookie for.
CREATE TABLE "sign_in_errands" (
	"id" uuid PRIMARY KEY NOT NULL,
	"return_to" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sign_in_errands_expiry" ON "sign_in_errands" USING btree ("expires_at");