CREATE TABLE "checkin_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"code" text NOT NULL,
	"label" text,
	"max_uses" integer,
	"current_uses" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "checkin_codes_code_unique" UNIQUE("code"),
	CONSTRAINT "checkin_codes_uses" CHECK ("checkin_codes"."current_uses" >= 0 and ("checkin_codes"."max_uses" is null or "checkin_codes"."current_uses" <= "checkin_codes"."max_uses"))
);
--> statement-breakpoint
CREATE TABLE "checkins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"code_id" uuid,
	"method" text NOT NULL,
	"checked_in_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "checkins_once" UNIQUE("event_id","user_id"),
	CONSTRAINT "checkins_method" CHECK ("checkins"."method" in ('link', 'qr', 'nfc', 'manual'))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"group_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"start_time" timestamp (3) with time zone NOT NULL,
	"end_time" timestamp (3) with time zone,
	"over_at" timestamp (3) with time zone NOT NULL,
	"timezone" text NOT NULL,
	"event_type" text DEFAULT 'physical' NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"cancel_reason" text,
	"source" text DEFAULT 'native' NOT NULL,
	"platform_event_url" text,
	"online_url" text,
	"photo_url" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"venue_name" text,
	"venue_address" text,
	"venue_city" text,
	"venue_state" text,
	"venue_postal_code" text,
	"venue_country" text,
	"venue_latitude" double precision,
	"venue_longitude" double precision,
	"max_attendees" integer,
	"confirmed_count" integer DEFAULT 0 NOT NULL,
	"upstream_rsvp_count" integer,
	"rsvp_count" integer GENERATED ALWAYS AS (confirmed_count + coalesce(upstream_rsvp_count, 0)) STORED NOT NULL,
	"waitlist_tail" integer DEFAULT 0 NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"published_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_status" CHECK ("events"."status" in ('draft', 'published', 'cancelled')),
	CONSTRAINT "events_type" CHECK ("events"."event_type" in ('physical', 'online', 'hybrid')),
	CONSTRAINT "events_end_after_start" CHECK ("events"."end_time" is null or "events"."end_time" > "events"."start_time"),
	CONSTRAINT "events_over" CHECK ("events"."over_at" = coalesce("events"."end_time", "events"."start_time" + interval '3 hours')),
	CONSTRAINT "events_capacity" CHECK ("events"."max_attendees" is null or "events"."max_attendees" >= 1),
	CONSTRAINT "events_confirmed" CHECK ("events"."confirmed_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "rsvps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"status" text NOT NULL,
	"rsvp_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"waitlist_number" integer,
	CONSTRAINT "rsvps_once" UNIQUE("event_id","user_id"),
	CONSTRAINT "rsvps_status" CHECK ("rsvps"."status" in ('confirmed', 'waitlisted', 'cancelled')),
	CONSTRAINT "rsvps_waiting" CHECK (("rsvps"."status" = 'waitlisted') = ("rsvps"."waitlist_number" is not null))
);
--> statement-breakpoint
CREATE TABLE "favorites" (
	"user_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "favorites_user_id_group_id_pk" PRIMARY KEY("user_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "group_members" (
	"id" uuid PRIMARY KEY NOT NULL,
	"group_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_members_once" UNIQUE("group_id","user_id"),
	CONSTRAINT "group_members_role" CHECK ("group_members"."role" in ('owner', 'manager', 'volunteer'))
);
--> statement-breakpoint
CREATE TABLE "groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"urlname" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"website" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"social_links" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"photo_url" text,
	"hero_image_url" text,
	"theme_color" text,
	"is_listed" boolean DEFAULT true NOT NULL,
	"is_featured" boolean DEFAULT false NOT NULL,
	"favorites_count" integer DEFAULT 0 NOT NULL,
	"upstream_member_count" integer,
	"member_count" integer GENERATED ALWAYS AS (favorites_count + coalesce(upstream_member_count, 0)) STORED NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "groups_favorites" CHECK ("groups"."favorites_count" >= 0)
);
--> statement-breakpoint
ALTER TABLE "checkin_codes" ADD CONSTRAINT "checkin_codes_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkins" ADD CONSTRAINT "checkins_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkins" ADD CONSTRAINT "checkins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkins" ADD CONSTRAINT "checkins_code_id_checkin_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."checkin_codes"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rsvps" ADD CONSTRAINT "rsvps_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rsvps" ADD CONSTRAINT "rsvps_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "checkin_codes_event" ON "checkin_codes" USING btree ("event_id","created_at","id");--> statement-breakpoint
CREATE INDEX "checkins_of_user" ON "checkins" USING btree ("user_id","checked_in_at");--> statement-breakpoint
CREATE INDEX "events_by_start" ON "events" USING btree ("start_time","id") WHERE status = 'published';--> statement-breakpoint
CREATE INDEX "events_by_over" ON "events" USING btree ("over_at","id") WHERE status = 'published';--> statement-breakpoint
CREATE INDEX "events_by_rsvps" ON "events" USING btree ("rsvp_count","id") WHERE status = 'published';--> statement-breakpoint
CREATE INDEX "events_by_age" ON "events" USING btree ("created_at","id") WHERE status = 'published';--> statement-breakpoint
CREATE INDEX "events_of_group" ON "events" USING btree ("group_id","start_time","id");--> statement-breakpoint
CREATE INDEX "events_title_search" ON "events" USING gin (lower("title") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "events_tags" ON "events" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "events_city" ON "events" USING btree (lower("venue_city"),"start_time");--> statement-breakpoint
CREATE UNIQUE INDEX "rsvps_line" ON "rsvps" USING btree ("event_id","waitlist_number") WHERE status = 'waitlisted';--> statement-breakpoint
CREATE INDEX "rsvps_guests" ON "rsvps" USING btree ("event_id","rsvp_at","user_id") WHERE status = 'confirmed';--> statement-breakpoint
CREATE INDEX "rsvps_of_user" ON "rsvps" USING btree ("user_id","rsvp_at","id");--> statement-breakpoint
CREATE INDEX "favorites_of_group" ON "favorites" USING btree ("group_id","created_at","user_id");--> statement-breakpoint
CREATE INDEX "favorites_of_user" ON "favorites" USING btree ("user_id","created_at","group_id");--> statement-breakpoint
CREATE INDEX "group_members_user" ON "group_members" USING btree ("user_id","group_id");--> statement-breakpoint
CREATE UNIQUE INDEX "groups_urlname_key" ON "groups" USING btree (lower("urlname"));--> statement-breakpoint
CREATE INDEX "groups_by_members" ON "groups" USING btree ("member_count","id") WHERE is_listed;--> statement-breakpoint
CREATE INDEX "groups_by_name" ON "groups" USING btree ("name","id") WHERE is_listed;--> statement-breakpoint
CREATE INDEX "groups_by_age" ON "groups" USING btree ("created_at","id") WHERE is_listed;--> statement-breakpoint
CREATE INDEX "groups_name_search" ON "groups" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "groups_tags" ON "groups" USING gin ("tags");--> statement-breakpoint
-- The count of confirmed guests follows the rows, whoever changes them and however.
CREATE FUNCTION count_confirmed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	change integer := 0;
BEGIN
	IF TG_OP <> 'INSERT' AND OLD.status = 'confirmed' THEN change := change - 1; END IF;
	IF TG_OP <> 'DELETE' AND NEW.status = 'confirmed' THEN change := change + 1; END IF;
	IF change <> 0 THEN
		UPDATE events SET confirmed_count = confirmed_count + change
		WHERE id = CASE WHEN TG_OP = 'DELETE' THEN OLD.event_id ELSE NEW.event_id END;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER rsvps_count AFTER INSERT OR UPDATE OF status OR DELETE ON rsvps
FOR EACH ROW EXECUTE FUNCTION count_confirmed();
--> statement-breakpoint
-- Nobody is seated past the capacity. Lowering it below the guests who are there already is allowed.
CREATE FUNCTION refuse_overbooking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.confirmed_count > OLD.confirmed_count AND NEW.confirmed_count > NEW.max_attendees THEN
		RAISE EXCEPTION 'event is full' USING ERRCODE = 'check_violation', CONSTRAINT = 'events_overbooked';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER events_capacity_guard BEFORE UPDATE OF confirmed_count ON events
FOR EACH ROW EXECUTE FUNCTION refuse_overbooking();
--> statement-breakpoint
CREATE FUNCTION count_favorites() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		UPDATE groups SET favorites_count = favorites_count + 1 WHERE id = NEW.group_id;
	ELSE
		UPDATE groups SET favorites_count = favorites_count - 1 WHERE id = OLD.group_id;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER favorites_count AFTER INSERT OR DELETE ON favorites
FOR EACH ROW EXECUTE FUNCTION count_favorites();
--> statement-breakpoint
-- A group that is there has an owner. The group's row is locked first, so that two owners cannot leave at once;
-- a group that is being deleted is not there any more.
CREATE FUNCTION keep_an_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.role <> 'owner' OR (TG_OP = 'UPDATE' AND NEW.role = 'owner') THEN RETURN NULL; END IF;
	PERFORM 1 FROM groups WHERE id = OLD.group_id FOR NO KEY UPDATE;
	IF FOUND AND NOT EXISTS (SELECT 1 FROM group_members WHERE group_id = OLD.group_id AND role = 'owner') THEN
		RAISE EXCEPTION 'a group needs an owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'group_members_last_owner';
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER group_members_owner AFTER UPDATE OF role OR DELETE ON group_members
FOR EACH ROW EXECUTE FUNCTION keep_an_owner();
