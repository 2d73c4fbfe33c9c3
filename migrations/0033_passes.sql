CREATE TABLE "connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"visitor_id" uuid,
	"stranger_hash" "bytea",
	"pass_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"owner_removed_at" timestamp (3) with time zone,
	"visitor_removed_at" timestamp (3) with time zone,
	CONSTRAINT "connections_one_visitor" CHECK (num_nonnulls("connections"."visitor_id", "connections"."stranger_hash") = 1),
	CONSTRAINT "connections_others" CHECK ("connections"."owner_id" <> "connections"."visitor_id")
);
--> statement-breakpoint
CREATE TABLE "pass_designs" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"image_url" text,
	"model_url" text,
	"theme_color" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pass_strangers" (
	"pass_id" text PRIMARY KEY NOT NULL,
	"kept" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passes" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"owner_id" uuid,
	"label" text,
	"design_id" text,
	"action" text DEFAULT 'profile' NOT NULL,
	"auto_follow" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "passes_id" CHECK ("passes"."id" ~ '^[2-9a-hjkmnp-z]{16}$'),
	CONSTRAINT "passes_type" CHECK ("passes"."type" in ('qrcode', 'nfc')),
	CONSTRAINT "passes_action" CHECK ("passes"."action" in ('profile', 'contact', 'follow')),
	CONSTRAINT "passes_qr_owned" CHECK ("passes"."type" <> 'qrcode' or "passes"."owner_id" is not null)
);
--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_visitor_id_users_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_pass_id_passes_id_fk" FOREIGN KEY ("pass_id") REFERENCES "public"."passes"("id") ON DELETE set null ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "pass_strangers" ADD CONSTRAINT "pass_strangers_pass_id_passes_id_fk" FOREIGN KEY ("pass_id") REFERENCES "public"."passes"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "passes" ADD CONSTRAINT "passes_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passes" ADD CONSTRAINT "passes_design_id_pass_designs_id_fk" FOREIGN KEY ("design_id") REFERENCES "public"."pass_designs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_pair" ON "connections" USING btree (least("owner_id", "visitor_id"),greatest("owner_id", "visitor_id")) WHERE visitor_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "connections_stranger" ON "connections" USING btree ("stranger_hash","owner_id") WHERE stranger_hash is not null;--> statement-breakpoint
CREATE INDEX "connections_inbound" ON "connections" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "connections_outbound" ON "connections" USING btree ("visitor_id","created_at","id") WHERE visitor_id is not null;--> statement-breakpoint
CREATE INDEX "connections_pass" ON "connections" USING btree ("pass_id","created_at","id");--> statement-breakpoint
CREATE INDEX "connections_expired" ON "connections" USING btree ("created_at","id") WHERE stranger_hash is not null;--> statement-breakpoint
CREATE INDEX "pass_designs_image_upload" ON "pass_designs" USING btree (nullif(left(split_part(split_part("image_url", 'v1/uploads/file/', 2), '?', 1), 200), '')) WHERE nullif(left(split_part(split_part("pass_designs"."image_url", 'v1/uploads/file/', 2), '?', 1), 200), '') is not null;--> statement-breakpoint
CREATE INDEX "pass_designs_model_upload" ON "pass_designs" USING btree (nullif(left(split_part(split_part("model_url", 'v1/uploads/file/', 2), '?', 1), 200), '')) WHERE nullif(left(split_part(split_part("pass_designs"."model_url", 'v1/uploads/file/', 2), '?', 1), 200), '') is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "passes_qr" ON "passes" USING btree ("owner_id") WHERE type = 'qrcode';--> statement-breakpoint
CREATE INDEX "passes_owner" ON "passes" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "passes_tags" ON "passes" USING btree ("created_at","id") WHERE type = 'nfc';--> statement-breakpoint
CREATE INDEX "passes_design" ON "passes" USING btree ("design_id") WHERE design_id is not null;