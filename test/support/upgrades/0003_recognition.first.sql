CREATE TABLE "achievement_progress" (
	"user_id" uuid NOT NULL,
	"achievement_key" text NOT NULL,
	"current_value" integer DEFAULT 0 NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "achievement_progress_user_id_achievement_key_pk" PRIMARY KEY("user_id","achievement_key")
);
--> statement-breakpoint
CREATE TABLE "achievement_values" (
	"user_id" uuid NOT NULL,
	"achievement_key" text NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "achievement_values_user_id_achievement_key_value_pk" PRIMARY KEY("user_id","achievement_key","value")
);
--> statement-breakpoint
CREATE TABLE "achievements" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"icon" text,
	"color" text,
	"target_value" integer NOT NULL,
	"badge_slug" text,
	"event_type" text NOT NULL,
	"conditions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"progress_mode" text DEFAULT 'counter' NOT NULL,
	"progress_field" text,
	"hidden" boolean DEFAULT false NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "achievements_target" CHECK ("achievements"."target_value" >= 1),
	CONSTRAINT "achievements_mode" CHECK ("achievements"."progress_mode" in ('counter', 'distinct')),
	CONSTRAINT "achievements_distinct" CHECK ("achievements"."progress_mode" = 'counter' or "achievements"."progress_field" is not null)
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_id" uuid,
	"action" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"changes" jsonb NOT NULL,
	"request_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entitlements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"entitlement" text NOT NULL,
	"granted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"source" text,
	CONSTRAINT "entitlements_once" UNIQUE("user_id","entitlement")
);
--> statement-breakpoint
CREATE TABLE "badge_awards" (
	"id" uuid PRIMARY KEY NOT NULL,
	"badge_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"group_id" uuid,
	"points" integer DEFAULT 0 NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"source" text NOT NULL,
	"awarded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "badge_awards_once" UNIQUE("badge_id","user_id"),
	CONSTRAINT "badge_awards_source" CHECK ("badge_awards"."source" in ('group', 'admin', 'claim', 'achievement'))
);
--> statement-breakpoint
CREATE TABLE "badges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"group_id" uuid,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text,
	"icon" text NOT NULL,
	"color" text NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "badges_slug_key" UNIQUE("slug"),
	CONSTRAINT "badges_points" CHECK ("badges"."points" between 0 and 1000)
);
--> statement-breakpoint
CREATE TABLE "claim_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"badge_id" uuid NOT NULL,
	"code" text NOT NULL,
	"max_uses" integer,
	"current_uses" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "claim_links_code_unique" UNIQUE("code"),
	CONSTRAINT "claim_links_uses" CHECK ("claim_links"."current_uses" >= 0 and ("claim_links"."max_uses" is null or "claim_links"."current_uses" <= "claim_links"."max_uses"))
);
--> statement-breakpoint
CREATE TABLE "group_scores" (
	"group_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"xp" integer NOT NULL,
	"badge_count" integer NOT NULL,
	"reached_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "group_scores_group_id_user_id_pk" PRIMARY KEY("group_id","user_id"),
	CONSTRAINT "group_scores_counts" CHECK ("group_scores"."xp" >= 0 and "group_scores"."badge_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "board_days" (
	"day" date PRIMARY KEY NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "board_snapshots" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"rank" integer NOT NULL,
	"xp" integer NOT NULL,
	CONSTRAINT "board_snapshots_user_id_day_pk" PRIMARY KEY("user_id","day")
);
--> statement-breakpoint
CREATE TABLE "score_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "score_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"change" integer NOT NULL,
	"xp" integer NOT NULL,
	"reached_before" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "group_claim_invites" (
	"id" uuid PRIMARY KEY NOT NULL,
	"group_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"auto_approve" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone,
	"used_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_claim_invites_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "group_claims" (
	"id" uuid PRIMARY KEY NOT NULL,
	"group_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"notes" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" uuid,
	"decision_notes" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_claims_status" CHECK ("group_claims"."status" in ('pending', 'approved', 'rejected')),
	CONSTRAINT "group_claims_decided" CHECK (("group_claims"."status" = 'pending') = ("group_claims"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "badge_tally" (
	"badge_id" uuid NOT NULL,
	"holders" integer NOT NULL,
	"public_holders" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "board_tally" (
	"xp" integer NOT NULL,
	"people" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people_tally" (
	"people" integer NOT NULL
);
--> statement-breakpoint
DROP INDEX "users_joined";--> statement-breakpoint
DROP INDEX "users_by_xp";--> statement-breakpoint
DROP INDEX "users_by_badges";--> statement-breakpoint
DROP INDEX "users_name_search";--> statement-breakpoint
DROP INDEX "users_username_search";--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "max_badges" integer DEFAULT 10 NOT NULL;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "max_badge_points" integer DEFAULT 50 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "xp_reached_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_public" boolean GENERATED ALWAYS AS (profile_visibility = 'public' and suspended_at is null and username is not null) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "on_board" boolean GENERATED ALWAYS AS (profile_visibility = 'public' and suspended_at is null and username is not null and show_on_leaderboard is not false and xp > 0) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "achievement_progress" ADD CONSTRAINT "achievement_progress_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "achievement_progress" ADD CONSTRAINT "achievement_progress_achievement_key_achievements_key_fk" FOREIGN KEY ("achievement_key") REFERENCES "public"."achievements"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "achievement_values" ADD CONSTRAINT "achievement_values_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "achievement_values" ADD CONSTRAINT "achievement_values_progress" FOREIGN KEY ("user_id","achievement_key") REFERENCES "public"."achievement_progress"("user_id","achievement_key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "achievements" ADD CONSTRAINT "achievements_badge_slug_badges_slug_fk" FOREIGN KEY ("badge_slug") REFERENCES "public"."badges"("slug") ON DELETE set null ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badge_awards" ADD CONSTRAINT "badge_awards_badge_id_badges_id_fk" FOREIGN KEY ("badge_id") REFERENCES "public"."badges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badge_awards" ADD CONSTRAINT "badge_awards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badges" ADD CONSTRAINT "badges_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claim_links" ADD CONSTRAINT "claim_links_badge_id_badges_id_fk" FOREIGN KEY ("badge_id") REFERENCES "public"."badges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_scores" ADD CONSTRAINT "group_scores_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_scores" ADD CONSTRAINT "group_scores_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "score_changes" ADD CONSTRAINT "score_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_claim_invites" ADD CONSTRAINT "group_claim_invites_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_claim_invites" ADD CONSTRAINT "group_claim_invites_used_by_users_id_fk" FOREIGN KEY ("used_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_claims" ADD CONSTRAINT "group_claims_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_claims" ADD CONSTRAINT "group_claims_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_claims" ADD CONSTRAINT "group_claims_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "achievement_progress_key" ON "achievement_progress" USING btree ("achievement_key");--> statement-breakpoint
CREATE INDEX "achievements_order" ON "achievements" USING btree ("sort_order","key");--> statement-breakpoint
CREATE INDEX "achievements_badge" ON "achievements" USING btree ("badge_slug");--> statement-breakpoint
CREATE INDEX "audit_log_age" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "entitlements_of_user" ON "entitlements" USING btree ("user_id","granted_at","id");--> statement-breakpoint
CREATE INDEX "badge_awards_of_user" ON "badge_awards" USING btree ("user_id","awarded_at","id");--> statement-breakpoint
CREATE INDEX "badges_of_platform" ON "badges" USING btree ("sort_order","id") WHERE group_id is null;--> statement-breakpoint
CREATE INDEX "badges_of_group" ON "badges" USING btree ("group_id","sort_order","id");--> statement-breakpoint
CREATE INDEX "claim_links_badge" ON "claim_links" USING btree ("badge_id","created_at","id");--> statement-breakpoint
CREATE INDEX "group_scores_board" ON "group_scores" USING btree ("group_id","xp" DESC NULLS FIRST,"reached_at","user_id");--> statement-breakpoint
CREATE INDEX "group_scores_of_user" ON "group_scores" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "board_snapshots_days" ON "board_snapshots" USING brin ("day");--> statement-breakpoint
CREATE INDEX "score_changes_lately" ON "score_changes" USING btree ("at","user_id");--> statement-breakpoint
CREATE INDEX "score_changes_of_user" ON "score_changes" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "group_claim_invites_group" ON "group_claim_invites" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "group_claim_invites_user" ON "group_claim_invites" USING btree ("used_by");--> statement-breakpoint
CREATE UNIQUE INDEX "group_claims_pending" ON "group_claims" USING btree ("group_id","user_id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "group_claims_age" ON "group_claims" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "group_claims_user" ON "group_claims" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "group_claims_decider" ON "group_claims" USING btree ("decided_by");--> statement-breakpoint
CREATE INDEX "badge_tally_badge" ON "badge_tally" USING btree ("badge_id");--> statement-breakpoint
CREATE INDEX "users_board" ON "users" USING btree ("xp" DESC NULLS FIRST,"xp_reached_at",lower("username")) WHERE on_board;--> statement-breakpoint
CREATE INDEX "users_scored_lately" ON "users" USING btree ("xp_reached_at") WHERE on_board;--> statement-breakpoint
CREATE INDEX "users_administrators" ON "users" USING btree ("id") WHERE role = 'admin';--> statement-breakpoint
CREATE INDEX "users_joined" ON "users" USING btree ("created_at","id") WHERE is_public;--> statement-breakpoint
CREATE INDEX "users_by_xp" ON "users" USING btree ("xp","id") WHERE is_public;--> statement-breakpoint
CREATE INDEX "users_by_badges" ON "users" USING btree ("badge_count","id") WHERE is_public;--> statement-breakpoint
CREATE INDEX "users_name_search" ON "users" USING gin (lower("name") gin_trgm_ops) WHERE is_public;--> statement-breakpoint
CREATE INDEX "users_username_search" ON "users" USING gin (lower("username") gin_trgm_ops) WHERE is_public;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_badge_limits" CHECK ("groups"."max_badges" >= 0 and "groups"."max_badge_points" >= 0);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_xp" CHECK ("users"."xp" >= 0 and "users"."badge_count" >= 0);
--> statement-breakpoint
INSERT INTO people_tally (people) SELECT count(*) FROM users WHERE is_public;
--> statement-breakpoint
-- Counts of people follow the rows of users, in one row of a tally for each statement that adds or removes people.
CREATE FUNCTION count_arrivals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO people_tally (people) SELECT count(*) FROM arrived WHERE is_public HAVING count(*) > 0;
	INSERT INTO board_tally (xp, people) SELECT xp, count(*) FROM arrived WHERE on_board GROUP BY xp;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_arrivals AFTER INSERT ON users
REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION count_arrivals();
--> statement-breakpoint
CREATE FUNCTION count_departures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO people_tally (people) SELECT -count(*) FROM departed WHERE is_public HAVING count(*) > 0;
	INSERT INTO board_tally (xp, people) SELECT xp, -count(*) FROM departed WHERE on_board GROUP BY xp;
	DELETE FROM board_snapshots USING departed WHERE board_snapshots.user_id = departed.id;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_departures AFTER DELETE ON users
REFERENCING OLD TABLE AS departed FOR EACH STATEMENT EXECUTE FUNCTION count_departures();
--> statement-breakpoint
CREATE FUNCTION count_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.is_public <> NEW.is_public THEN
		INSERT INTO people_tally (people) VALUES (CASE WHEN NEW.is_public THEN 1 ELSE -1 END);
		UPDATE badge_awards SET is_public = NEW.is_public WHERE user_id = NEW.id;
	END IF;
	IF OLD.on_board THEN INSERT INTO board_tally (xp, people) VALUES (OLD.xp, -1); END IF;
	IF NEW.on_board THEN INSERT INTO board_tally (xp, people) VALUES (NEW.xp, 1); END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_moves AFTER UPDATE ON users FOR EACH ROW
WHEN (OLD.is_public <> NEW.is_public OR OLD.on_board <> NEW.on_board OR (OLD.xp <> NEW.xp AND NEW.on_board))
EXECUTE FUNCTION count_moves();
--> statement-breakpoint
-- Whoever runs the place can always be asked: the last administrator stays one. The lock keeps two from leaving at once.
CREATE FUNCTION keep_an_administrator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' AND NEW.role = 'admin' AND NEW.suspended_at IS NULL THEN RETURN NULL; END IF;
	PERFORM pg_advisory_xact_lock(hashtextextended('administrators', 0));
	IF NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND suspended_at IS NULL) THEN
		RAISE EXCEPTION 'somebody has to be an administrator'
			USING ERRCODE = 'check_violation', CONSTRAINT = 'users_last_administrator';
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_administrator_changes AFTER UPDATE OF role, suspended_at ON users
FOR EACH ROW WHEN (OLD.role = 'admin' AND OLD.suspended_at IS NULL) EXECUTE FUNCTION keep_an_administrator();
--> statement-breakpoint
CREATE TRIGGER users_administrator_leaves AFTER DELETE ON users
FOR EACH ROW WHEN (OLD.role = 'admin' AND OLD.suspended_at IS NULL) EXECUTE FUNCTION keep_an_administrator();
--> statement-breakpoint
-- Locks come in one order everywhere: the badge, its holders, the awards.
CREATE FUNCTION lock_holders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM users WHERE id IN (SELECT user_id FROM badge_awards WHERE badge_id = OLD.id)
		ORDER BY id FOR NO KEY UPDATE;
	IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
	UPDATE badge_awards SET points = NEW.points WHERE badge_id = NEW.id;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER badges_holders_lose BEFORE DELETE ON badges FOR EACH ROW EXECUTE FUNCTION lock_holders();
--> statement-breakpoint
CREATE TRIGGER badges_points_change AFTER UPDATE OF points ON badges FOR EACH ROW
WHEN (OLD.points <> NEW.points) EXECUTE FUNCTION lock_holders();
--> statement-breakpoint
CREATE FUNCTION forget_holders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM badge_tally WHERE badge_id = OLD.id;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER badges_forget_holders AFTER DELETE ON badges FOR EACH ROW EXECUTE FUNCTION forget_holders();
--> statement-breakpoint
-- A group has only so many badges. Its row is locked, so that two cannot both be the last.
CREATE FUNCTION limit_badges() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	allowed integer;
BEGIN
	SELECT max_badges INTO allowed FROM groups WHERE id = NEW.group_id FOR NO KEY UPDATE;
	IF (SELECT count(*) FROM badges WHERE group_id = NEW.group_id) >= allowed THEN
		RAISE EXCEPTION 'too many badges' USING ERRCODE = 'check_violation', CONSTRAINT = 'badges_of_group_max';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER badges_limit BEFORE INSERT ON badges FOR EACH ROW
WHEN (NEW.group_id IS NOT NULL) EXECUTE FUNCTION limit_badges();
--> statement-breakpoint
-- What an award copies from its badge and its holder, read while neither can change.
CREATE FUNCTION complete_award() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	SELECT group_id, points INTO NEW.group_id, NEW.points FROM badges WHERE id = NEW.badge_id FOR SHARE;
	IF FOUND THEN SELECT is_public INTO NEW.is_public FROM users WHERE id = NEW.user_id FOR NO KEY UPDATE; END IF;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'badge or holder is gone'
			USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'badge_awards_gone';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER badge_awards_complete BEFORE INSERT ON badge_awards FOR EACH ROW EXECUTE FUNCTION complete_award();
--> statement-breakpoint
-- Scores and counts of holders are the awards, added up.
CREATE FUNCTION keep_score() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	award badge_awards := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
	awards integer := CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'DELETE' THEN -1 ELSE 0 END;
	gained integer := 0;
	seen integer := 0;
	moment timestamptz := CASE TG_OP WHEN 'INSERT' THEN NEW.awarded_at ELSE now() END;
	score integer;
	before timestamptz;
BEGIN
	IF TG_OP <> 'INSERT' THEN
		gained := gained - OLD.points;
		seen := seen - OLD.is_public::integer;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		gained := gained + NEW.points;
		seen := seen + NEW.is_public::integer;
	END IF;
	IF awards <> 0 OR seen <> 0 THEN
		INSERT INTO badge_tally (badge_id, holders, public_holders) VALUES (award.badge_id, awards, seen);
	END IF;
	IF awards = 0 AND gained = 0 THEN RETURN NULL; END IF;
	IF award.group_id IS NULL THEN
		SELECT xp_reached_at INTO before FROM users WHERE id = award.user_id FOR NO KEY UPDATE;
		UPDATE users SET xp = xp + gained, badge_count = badge_count + awards,
			xp_reached_at = CASE WHEN gained <> 0 THEN moment ELSE xp_reached_at END
		WHERE id = award.user_id RETURNING xp INTO score;
		IF FOUND AND gained <> 0 THEN
			INSERT INTO score_changes (user_id, at, change, xp, reached_before)
			VALUES (award.user_id, moment, gained, score, before);
		END IF;
	ELSIF TG_OP = 'INSERT' THEN
		INSERT INTO group_scores AS s (group_id, user_id, xp, badge_count, reached_at)
		VALUES (award.group_id, award.user_id, gained, 1, moment)
		ON CONFLICT (group_id, user_id) DO UPDATE SET xp = s.xp + gained, badge_count = s.badge_count + 1,
			reached_at = CASE WHEN gained <> 0 THEN moment ELSE s.reached_at END;
	ELSE
		UPDATE group_scores SET xp = xp + gained, badge_count = badge_count + awards,
			reached_at = CASE WHEN gained <> 0 THEN moment ELSE reached_at END
		WHERE group_id = award.group_id AND user_id = award.user_id;
		DELETE FROM group_scores WHERE group_id = award.group_id AND user_id = award.user_id AND badge_count = 0;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER badge_awards_score AFTER INSERT OR UPDATE OF points, is_public OR DELETE ON badge_awards
FOR EACH ROW EXECUTE FUNCTION keep_score();
--> statement-breakpoint
CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
--> statement-breakpoint
-- What every community can begin with. Administrators change all of it.
INSERT INTO badges (id, name, slug, description, icon, color, points, sort_order) VALUES
	('01920000-0000-7000-8000-000000000001', 'Explorer', 'explorer', 'Joined three groups.', '🧭', '#0ea5e9', 15, 10),
	('01920000-0000-7000-8000-000000000002', 'Connected', 'connected', 'Linked three accounts.', '🔗', '#6366f1', 15, 20),
	('01920000-0000-7000-8000-000000000003', 'Builder', 'builder', 'Showed something they made.', '🛠️', '#f59e0b', 10, 30),
	('01920000-0000-7000-8000-000000000004', 'Regular', 'regular', 'Checked in to five events.', '🪑', '#10b981', 25, 40),
	('01920000-0000-7000-8000-000000000005', 'Big Tent', 'big-tent', 'Checked in to events of six groups.', '🎪', '#ef4444', 50, 50),
	('01920000-0000-7000-8000-000000000006', 'Handshake', 'handshake', 'Met ten people.', '🤝', '#ec4899', 25, 60),
	('01920000-0000-7000-8000-000000000007', 'Host', 'host', 'Published their first event.', '🎤', '#8b5cf6', 30, 70);
--> statement-breakpoint
INSERT INTO achievements (key, name, description, icon, color, target_value, badge_slug, event_type, conditions, progress_mode, progress_field, sort_order) VALUES
	('explorer', 'Explorer', 'Join three groups.', '🧭', '#0ea5e9', 3, 'explorer', 'group.favorited', '[]', 'distinct', 'groupId', 10),
	('connected', 'Connected', 'Link three accounts.', '🔗', '#6366f1', 3, 'connected', 'user.account_linked', '[]', 'distinct', 'provider', 20),
	('builder', 'Builder', 'Show something that you made.', '🛠️', '#f59e0b', 1, 'builder', 'user.updated', '[{"field": "fields", "op": "contains", "value": "portfolio"}]', 'counter', NULL, 30),
	('regular', 'Regular', 'Check in to five events.', '🪑', '#10b981', 5, 'regular', 'checkin.created', '[]', 'distinct', 'eventId', 40),
	('big-tent', 'Big Tent', 'Check in to events of six groups.', '🎪', '#ef4444', 6, 'big-tent', 'checkin.created', '[]', 'distinct', 'groupId', 50),
	('handshake', 'Handshake', 'Meet ten people.', '🤝', '#ec4899', 10, 'handshake', 'meetpass.connected', '[]', 'counter', NULL, 60),
	('host', 'Host', 'Publish your first event.', '🎤', '#8b5cf6', 1, 'host', 'event.published', '[]', 'counter', NULL, 70);
