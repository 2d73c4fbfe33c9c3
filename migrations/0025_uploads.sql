CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"owner_id" uuid,
	"maker" text NOT NULL,
	"made_by_token" uuid,
	"made_by_grant" uuid,
	"category" text NOT NULL,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"declared_size" integer NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"incoming" uuid,
	"file" uuid,
	"size" integer,
	"sha256" text,
	"width" integer,
	"height" integer,
	"sizes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone,
	"unused_since" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "uploads_size" CHECK ("uploads"."declared_size" > 0 and "uploads"."declared_size" <= 10485760 and "uploads"."size" > 0),
	CONSTRAINT "uploads_state" CHECK ("uploads"."state" in ('requested', 'received', 'ready', 'refused', 'removed')
        and ("uploads"."state" <> 'received' or ("uploads"."incoming" is not null and "uploads"."next_check_at" is not null))
        and ("uploads"."state" <> 'ready' or ("uploads"."file" is not null and "uploads"."size" is not null and "uploads"."sha256" is not null))
        and ("uploads"."state" in ('requested', 'received') or "uploads"."next_check_at" is null)
        and ("uploads"."state" = 'refused') = ("uploads"."reason" is not null)),
	CONSTRAINT "uploads_owned" CHECK ("uploads"."owner_id" is not null or "uploads"."state" = 'removed'),
	CONSTRAINT "uploads_maker" CHECK ("uploads"."maker" in ('person', 'token', 'grant') and ("uploads"."made_by_token" is null or "uploads"."maker" = 'token')
        and ("uploads"."made_by_grant" is null or "uploads"."maker" = 'grant'))
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_made_by_token" FOREIGN KEY ("made_by_token") REFERENCES "public"."personal_tokens"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_made_by_grant" FOREIGN KEY ("made_by_grant") REFERENCES "public"."oauth_grants"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "uploads_key" ON "uploads" USING btree ("key");--> statement-breakpoint
CREATE UNIQUE INDEX "uploads_incoming" ON "uploads" USING btree ("incoming");--> statement-breakpoint
CREATE UNIQUE INDEX "uploads_file" ON "uploads" USING btree ("file");--> statement-breakpoint
CREATE INDEX "uploads_owner" ON "uploads" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "uploads_of_token" ON "uploads" USING btree ("made_by_token") WHERE made_by_token is not null;--> statement-breakpoint
CREATE INDEX "uploads_of_grant" ON "uploads" USING btree ("made_by_grant") WHERE made_by_grant is not null;--> statement-breakpoint
CREATE INDEX "uploads_due" ON "uploads" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "uploads_expired" ON "uploads" USING btree ("expires_at","id") WHERE state = 'requested';--> statement-breakpoint
CREATE INDEX "uploads_unused" ON "uploads" USING btree ("unused_since","id") WHERE unused_since is not null;--> statement-breakpoint
CREATE INDEX "uploads_ended" ON "uploads" USING btree ("changed_at","id") WHERE state in ('refused', 'removed');