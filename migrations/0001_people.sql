-- Search by parts of a name. The extension is trusted: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "follows" (
	"follower_id" uuid NOT NULL,
	"followee_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "follows_follower_id_followee_id_pk" PRIMARY KEY("follower_id","followee_id"),
	CONSTRAINT "follows_others" CHECK ("follows"."follower_id" <> "follows"."followee_id")
);
--> statement-breakpoint
CREATE TABLE "onboarding_dismissals" (
	"user_id" uuid NOT NULL,
	"step" text NOT NULL,
	"dismissed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "onboarding_dismissals_user_id_step_pk" PRIMARY KEY("user_id","step")
);
--> statement-breakpoint
CREATE TABLE "portfolio_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"url" text,
	"image_url" text,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "users_created_at";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "hero_image_url" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "theme_color" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "bio" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "location" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "social_links" text[];--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "profile_visibility" text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "show_on_leaderboard" boolean;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "follower_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "following_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "xp" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "badge_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_follower_id_users_id_fk" FOREIGN KEY ("follower_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_followee_id_users_id_fk" FOREIGN KEY ("followee_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onboarding_dismissals" ADD CONSTRAINT "onboarding_dismissals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portfolio_items" ADD CONSTRAINT "portfolio_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "follows_followers" ON "follows" USING btree ("followee_id","created_at","follower_id");--> statement-breakpoint
CREATE INDEX "follows_following" ON "follows" USING btree ("follower_id","created_at","followee_id");--> statement-breakpoint
CREATE INDEX "portfolio_items_order" ON "portfolio_items" USING btree ("user_id","sort_order","id");--> statement-breakpoint
CREATE INDEX "users_joined" ON "users" USING btree ("created_at","id") WHERE profile_visibility = 'public' and suspended_at is null and username is not null;--> statement-breakpoint
CREATE INDEX "users_by_xp" ON "users" USING btree ("xp","id") WHERE profile_visibility = 'public' and suspended_at is null and username is not null;--> statement-breakpoint
CREATE INDEX "users_by_badges" ON "users" USING btree ("badge_count","id") WHERE profile_visibility = 'public' and suspended_at is null and username is not null;--> statement-breakpoint
CREATE INDEX "users_name_search" ON "users" USING gin (lower("name") gin_trgm_ops) WHERE profile_visibility = 'public' and suspended_at is null and username is not null;--> statement-breakpoint
CREATE INDEX "users_username_search" ON "users" USING gin (lower("username") gin_trgm_ops) WHERE profile_visibility = 'public' and suspended_at is null and username is not null;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_visibility" CHECK ("users"."profile_visibility" in ('public', 'private'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_counts" CHECK ("users"."follower_count" >= 0 and "users"."following_count" >= 0);