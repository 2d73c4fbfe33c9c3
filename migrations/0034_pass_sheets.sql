CREATE TABLE "pass_sheets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid,
	"job_id" uuid,
	"kind" text NOT NULL,
	"paper" text NOT NULL,
	"start_at" integer NOT NULL,
	"sort" text NOT NULL,
	"checkin_code_id" uuid,
	"file" uuid,
	"size" integer,
	"pages" integer,
	"missing" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pass_sheets_kind" CHECK ("pass_sheets"."kind" in ('badges', 'stickers', 'checkin-poster')),
	CONSTRAINT "pass_sheets_paper" CHECK ("pass_sheets"."paper" in ('a4', 'letter', 'avery-l7160', 'avery-5163', 'badge-86x54')),
	CONSTRAINT "pass_sheets_sort" CHECK ("pass_sheets"."sort" in ('name', 'rsvp')),
	CONSTRAINT "pass_sheets_start" CHECK ("pass_sheets"."start_at" >= 1),
	CONSTRAINT "pass_sheets_whole" CHECK (num_nulls("pass_sheets"."file", "pass_sheets"."size", "pass_sheets"."pages") in (0, 3))
);
--> statement-breakpoint
ALTER TABLE "pass_sheets" ADD CONSTRAINT "pass_sheets_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pass_sheets" ADD CONSTRAINT "pass_sheets_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pass_sheets" ADD CONSTRAINT "pass_sheets_checkin_code_id_checkin_codes_id_fk" FOREIGN KEY ("checkin_code_id") REFERENCES "public"."checkin_codes"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "pass_sheets_file" ON "pass_sheets" USING btree ("file");--> statement-breakpoint
CREATE INDEX "pass_sheets_event" ON "pass_sheets" USING btree ("event_id","created_at","id");--> statement-breakpoint
CREATE INDEX "pass_sheets_job" ON "pass_sheets" USING btree ("job_id") WHERE job_id is not null;--> statement-breakpoint
CREATE INDEX "pass_sheets_code" ON "pass_sheets" USING btree ("checkin_code_id") WHERE checkin_code_id is not null;--> statement-breakpoint
CREATE INDEX "pass_sheets_expired" ON "pass_sheets" USING btree ("expires_at","id");--> statement-breakpoint
CREATE INDEX "pass_sheets_ended" ON "pass_sheets" USING btree ("id") WHERE event_id is null or (job_id is null and file is null);