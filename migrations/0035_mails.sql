CREATE TABLE "address_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"old_email" text,
	"new_email" text NOT NULL,
	"confirm_hash" "bytea" NOT NULL,
	"undo_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"undo_until" timestamp (3) with time zone NOT NULL,
	"undone_at" timestamp (3) with time zone,
	CONSTRAINT "address_changes_confirm_hash_unique" UNIQUE("confirm_hash"),
	CONSTRAINT "address_changes_undo_hash_unique" UNIQUE("undo_hash")
);
--> statement-breakpoint
CREATE TABLE "data_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"job_id" uuid,
	"file" uuid,
	"size" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "data_exports_whole" CHECK (num_nulls("data_exports"."file", "data_exports"."size") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "kept_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_switches" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"is_on" boolean NOT NULL,
	CONSTRAINT "mail_switches_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"address" text,
	"letter" text NOT NULL,
	"fact" text NOT NULL,
	"topic" text,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"sealed" "bytea",
	"urgency" smallint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"outcome" text,
	CONSTRAINT "mails_urgency" CHECK ("mails"."urgency" between 0 and 2),
	CONSTRAINT "mails_outcome" CHECK ("mails"."outcome" in ('sent', 'unwanted', 'untrue', 'refused', 'expired') and "mails"."finished_at" is not null
        or "mails"."outcome" is null and "mails"."finished_at" is null),
	CONSTRAINT "mails_reader" CHECK ("mails"."user_id" is not null or "mails"."address" is not null or "mails"."finished_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "refusing_mailboxes" (
	"mailbox" "bytea" PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "address_changes" ADD CONSTRAINT "address_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_switches" ADD CONSTRAINT "mail_switches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "address_changes_asked" ON "address_changes" USING btree ("user_id") WHERE confirmed_at is null and undone_at is null;--> statement-breakpoint
CREATE INDEX "address_changes_user" ON "address_changes" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "address_changes_end" ON "address_changes" USING btree ("undo_until");--> statement-breakpoint
CREATE INDEX "data_exports_user" ON "data_exports" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "data_exports_file" ON "data_exports" USING btree ("file");--> statement-breakpoint
CREATE INDEX "data_exports_expiry" ON "data_exports" USING btree ("expires_at","id");--> statement-breakpoint
CREATE INDEX "data_exports_ended" ON "data_exports" USING btree ("id") WHERE user_id is null;--> statement-breakpoint
CREATE INDEX "kept_mails_at" ON "kept_mails" USING btree ("at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "mails_once" ON "mails" USING btree ("user_id","letter","fact") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("urgency","due_at","id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "mails_topic" ON "mails" USING btree ("user_id","letter","topic") WHERE topic is not null;--> statement-breakpoint
CREATE INDEX "mails_finished" ON "mails" USING btree ("finished_at","id");--> statement-breakpoint
CREATE INDEX "refusing_mailboxes_at" ON "refusing_mailboxes" USING btree ("at");