CREATE TABLE "unsettled_badges" (
	"badge_id" uuid PRIMARY KEY NOT NULL,
	"group_id" uuid
);
--> statement-breakpoint
CREATE TABLE "board_drafts" (
	"run" uuid NOT NULL,
	"below_zero" integer NOT NULL,
	"reached_at" timestamp (3) with time zone NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "board_drafts_run_user_id_pk" PRIMARY KEY("run","user_id")
);
--> statement-breakpoint
CREATE TABLE "mover_lists" (
	"id" uuid PRIMARY KEY NOT NULL,
	"period" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"total" integer
);
--> statement-breakpoint
CREATE TABLE "mover_marks" (
	"list" uuid NOT NULL,
	"place" integer NOT NULL,
	"loss" integer NOT NULL,
	"fall" integer NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "mover_marks_list_place_pk" PRIMARY KEY("list","place")
);
--> statement-breakpoint
CREATE TABLE "movers" (
	"list" uuid NOT NULL,
	"loss" integer NOT NULL,
	"fall" integer NOT NULL,
	"name" text NOT NULL,
	"user_id" uuid NOT NULL,
	"xp" integer NOT NULL,
	"rank" integer NOT NULL,
	"previous_rank" integer,
	CONSTRAINT "movers_list_user_id_pk" PRIMARY KEY("list","user_id")
);
--> statement-breakpoint
CREATE TABLE "unfilled_events" (
	"event_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ended_groups" (
	"group_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "badge_awards" DROP CONSTRAINT "badge_awards_badge_id_badges_id_fk";
--> statement-breakpoint
ALTER TABLE "group_scores" DROP CONSTRAINT "group_scores_group_id_groups_id_fk";
--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_group_id_groups_id_fk";
--> statement-breakpoint
ALTER TABLE "favorites" DROP CONSTRAINT "favorites_group_id_groups_id_fk";
--> statement-breakpoint
DROP INDEX "rsvps_guests";--> statement-breakpoint
ALTER TABLE "mover_marks" ADD CONSTRAINT "mover_marks_list_mover_lists_id_fk" FOREIGN KEY ("list") REFERENCES "public"."mover_lists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unfilled_events" ADD CONSTRAINT "unfilled_events_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "board_drafts_order" ON "board_drafts" USING btree ("run","below_zero","reached_at");--> statement-breakpoint
CREATE INDEX "board_drafts_user" ON "board_drafts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "movers_order" ON "movers" USING btree ("list","loss","fall","name");--> statement-breakpoint
CREATE INDEX "movers_user" ON "movers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "checkins_code" ON "checkins" USING btree ("code_id") WHERE code_id is not null;--> statement-breakpoint
CREATE INDEX "checkins_of_event" ON "checkins" USING btree ("event_id","checked_in_at");--> statement-breakpoint
CREATE INDEX "events_by_end" ON "events" USING btree ("over_at","group_id") WHERE status = 'published';--> statement-breakpoint
CREATE INDEX "rsvps_by_status" ON "rsvps" USING btree ("event_id","status","rsvp_at","user_id");--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("finished_at") WHERE outcome in ('refused', 'expired');--> statement-breakpoint
CREATE INDEX "users_private_name_search" ON "users" USING gin (lower("name") gin_trgm_ops) WHERE not is_public;--> statement-breakpoint
CREATE INDEX "users_private_username_search" ON "users" USING gin (lower("username") gin_trgm_ops) WHERE not is_public;--> statement-breakpoint
CREATE INDEX "users_email_search" ON "users" USING gin (lower("email") gin_trgm_ops);--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_departures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO people_tally (people) SELECT -count(*) FROM departed WHERE is_public HAVING count(*) > 0;
	INSERT INTO board_tally (xp, people) SELECT xp, -count(*) FROM departed WHERE on_board GROUP BY xp;
	DELETE FROM board_snapshots USING departed WHERE board_snapshots.user_id = departed.id;
	DELETE FROM board_drafts USING departed WHERE board_drafts.user_id = departed.id;
	DELETE FROM movers USING departed WHERE movers.user_id = departed.id;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION demand_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM groups WHERE id = NEW.group_id FOR KEY SHARE;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'the group is gone'
			USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_TABLE_NAME || '_group_gone';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER events_group BEFORE INSERT OR UPDATE OF group_id ON events FOR EACH ROW EXECUTE FUNCTION demand_group();
--> statement-breakpoint
CREATE TRIGGER favorites_group BEFORE INSERT OR UPDATE OF group_id ON favorites FOR EACH ROW EXECUTE FUNCTION demand_group();
--> statement-breakpoint
CREATE FUNCTION mark_ended_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO ended_groups (group_id) SELECT id FROM ended ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER groups_ended AFTER DELETE ON groups REFERENCING OLD TABLE AS ended
	FOR EACH STATEMENT EXECUTE FUNCTION mark_ended_groups();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION lock_holders() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	most integer := nullif(current_setting('folkmoot.awards', true), '')::integer;
BEGIN
	IF most IS NOT NULL AND (SELECT coalesce(sum(holders), 0) FROM badge_tally WHERE badge_id = OLD.id) > most THEN
		INSERT INTO unsettled_badges (badge_id, group_id) VALUES (OLD.id, OLD.group_id) ON CONFLICT DO NOTHING;
		IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
		RETURN NEW;
	END IF;
	IF TG_OP = 'DELETE' THEN
		PERFORM 1 FROM users WHERE id = ANY (ARRAY(SELECT user_id FROM badge_awards WHERE badge_id = OLD.id))
			ORDER BY id FOR NO KEY UPDATE;
		DELETE FROM badge_awards WHERE badge_id = OLD.id;
		RETURN OLD;
	END IF;
	PERFORM 1 FROM users WHERE id = ANY (ARRAY(
			SELECT user_id FROM badge_awards WHERE badge_id = NEW.id AND (points, hidden) <> (NEW.points, NEW.hidden)))
		ORDER BY id FOR NO KEY UPDATE;
	UPDATE badge_awards SET points = NEW.points, hidden = NEW.hidden
	WHERE badge_id = NEW.id AND (points, hidden) <> (NEW.points, NEW.hidden);
	RETURN NEW;
END $$;
