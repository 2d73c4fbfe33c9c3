CREATE TABLE "feed_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"sealed" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_tokens_owner" UNIQUE("user_id"),
	CONSTRAINT "feed_tokens_hash" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "feed_versions" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"etag" text NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_on" date DEFAULT current_date NOT NULL,
	CONSTRAINT "feed_versions_key" CHECK (octet_length("feed_versions"."key") = 32)
);
--> statement-breakpoint
ALTER TABLE "rsvps" ADD COLUMN "changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "rsvps" ADD COLUMN "changes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_tokens" ADD CONSTRAINT "feed_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_versions_age" ON "feed_versions" USING btree ("read_on","key");--> statement-breakpoint
CREATE FUNCTION count_rsvp_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := now();
  NEW.changes := OLD.changes + 1;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER rsvps_changes BEFORE UPDATE ON rsvps FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status)
  EXECUTE FUNCTION count_rsvp_changes();
