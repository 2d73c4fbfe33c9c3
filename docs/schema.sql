-- The database as the migrations leave it, for reading. Written by `bun run generate`; change src/db/tables and migrations/ instead.
-- A table stands after those that it refers to.

CREATE EXTENSION pg_trgm;

CREATE TYPE award_change AS (
  badge_id uuid,
  user_id uuid,
  group_id uuid,
  awards integer,
  seen integer,
  gained integer,
  counted integer
);

CREATE OR REPLACE FUNCTION public.complete_award()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	PERFORM 1 FROM groups WHERE id = (SELECT group_id FROM badges WHERE id = NEW.badge_id) FOR KEY SHARE;
	SELECT group_id, points, hidden INTO NEW.group_id, NEW.points, NEW.hidden
	FROM badges WHERE id = NEW.badge_id FOR SHARE;
	IF FOUND THEN SELECT is_public INTO NEW.is_public FROM users WHERE id = NEW.user_id FOR NO KEY UPDATE; END IF;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'badge or holder is gone'
			USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'badge_awards_gone';
	END IF;
	RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.complete_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	SELECT is_public INTO NEW.follower_counts FROM users WHERE id = NEW.follower_id FOR NO KEY UPDATE;
	IF FOUND THEN SELECT is_public INTO NEW.followee_counts FROM users WHERE id = NEW.followee_id FOR NO KEY UPDATE; END IF;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'one of the two is gone'
			USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'follows_gone';
	END IF;
	RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.count_arrivals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	INSERT INTO people_tally (people) SELECT count(*) FROM arrived WHERE is_public HAVING count(*) > 0;
	INSERT INTO board_tally (xp, people) SELECT xp, count(*) FROM arrived WHERE on_board GROUP BY xp;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_confirmed_together()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	changes refcursor;
	event uuid;
	change integer;
BEGIN
	IF TG_OP = 'INSERT' THEN
		OPEN changes FOR SELECT event_id, count(*) FROM after_rows WHERE status = 'confirmed'
			GROUP BY event_id ORDER BY event_id;
	ELSIF TG_OP = 'DELETE' THEN
		OPEN changes FOR SELECT event_id, -count(*) FROM before_rows WHERE status = 'confirmed'
			GROUP BY event_id ORDER BY event_id;
	ELSE
		OPEN changes FOR SELECT event_id, sum(seats) FROM (
				SELECT event_id, 1 AS seats FROM after_rows WHERE status = 'confirmed'
				UNION ALL SELECT event_id, -1 FROM before_rows WHERE status = 'confirmed'
			) AS seats_of GROUP BY event_id HAVING sum(seats) <> 0 ORDER BY event_id;
	END IF;
	LOOP
		FETCH changes INTO event, change;
		EXIT WHEN NOT FOUND;
		UPDATE events SET confirmed_count = confirmed_count + change WHERE id = event;
	END LOOP;
	CLOSE changes;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_departures()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	INSERT INTO people_tally (people) SELECT -count(*) FROM departed WHERE is_public HAVING count(*) > 0;
	INSERT INTO board_tally (xp, people) SELECT xp, -count(*) FROM departed WHERE on_board GROUP BY xp;
	DELETE FROM board_snapshots USING departed WHERE board_snapshots.user_id = departed.id;
	DELETE FROM board_drafts USING departed WHERE board_drafts.user_id = departed.id;
	DELETE FROM movers USING departed WHERE movers.user_id = departed.id;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_favorites()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	IF TG_OP = 'INSERT' THEN
		UPDATE groups SET favorites_count = favorites_count + 1 WHERE id = NEW.group_id;
	ELSE
		UPDATE groups SET favorites_count = favorites_count - 1 WHERE id = OLD.group_id;
	END IF;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	IF OLD.is_public <> NEW.is_public THEN
		INSERT INTO people_tally (people) VALUES (CASE WHEN NEW.is_public THEN 1 ELSE -1 END);
		UPDATE badge_awards SET is_public = NEW.is_public WHERE user_id = NEW.id;
	END IF;
	IF OLD.on_board THEN INSERT INTO board_tally (xp, people) VALUES (OLD.xp, -1); END IF;
	IF NEW.on_board THEN INSERT INTO board_tally (xp, people) VALUES (NEW.xp, 1); END IF;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_rsvp_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.changed_at := now();
  NEW.changes := OLD.changes + 1;
  RETURN NEW;
END;
$function$;

CREATE OR REPLACE FUNCTION public.demand_group()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	PERFORM 1 FROM groups WHERE id = NEW.group_id FOR KEY SHARE;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'the group is gone'
			USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_TABLE_NAME || '_group_gone';
	END IF;
	RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.end_with_maker()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	IF NEW.maker <> 'person' AND NEW.made_by_token IS NULL AND NEW.made_by_grant IS NULL THEN
		NEW.is_active := false;
		NEW.disabled_reason := CASE NEW.maker WHEN 'token' THEN 'token_revoked' ELSE 'access_ended' END;
	ELSIF NEW.is_active THEN
		NEW.disabled_reason := NULL;
	END IF;
	RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.forget_holders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	DELETE FROM badge_tally WHERE badge_id = OLD.id;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.index_event_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO event_words (event_id, title, words)
    VALUES (
      NEW.id,
      lower(NEW.title),
      to_tsvector('simple', concat_ws(' ', NEW.title, NEW.description, NEW.venue_name, NEW.venue_address, NEW.venue_city))
    )
    ON CONFLICT (event_id) DO UPDATE SET title = excluded.title, words = excluded.words;
  RETURN NULL;
END;
$function$;

CREATE OR REPLACE FUNCTION public.keep_an_administrator()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	IF TG_OP = 'UPDATE' AND NEW.role = 'admin' AND NEW.suspended_at IS NULL THEN RETURN NULL; END IF;
	PERFORM pg_advisory_xact_lock(hashtextextended('administrators', 0));
	IF NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND suspended_at IS NULL) THEN
		RAISE EXCEPTION 'somebody has to be an administrator'
			USING ERRCODE = 'check_violation', CONSTRAINT = 'users_last_administrator';
	END IF;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_an_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	IF OLD.role <> 'owner' OR (TG_OP = 'UPDATE' AND NEW.role = 'owner') THEN RETURN NULL; END IF;
	PERFORM 1 FROM groups WHERE id = OLD.group_id FOR NO KEY UPDATE;
	IF FOUND AND NOT EXISTS (SELECT 1 FROM group_members WHERE group_id = OLD.group_id AND role = 'owner') THEN
		RAISE EXCEPTION 'a group needs an owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'group_members_last_owner';
	END IF;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_score()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	moved record;
BEGIN
	INSERT INTO badge_tally (badge_id, holders, public_holders) VALUES (NEW.badge_id, 1, NEW.is_public::integer);
	IF NEW.hidden THEN RETURN NULL; END IF;
	IF NEW.group_id IS NULL THEN
		UPDATE users SET xp = xp + NEW.points, badge_count = badge_count + 1,
			xp_reached_at = CASE WHEN NEW.points <> 0 THEN NEW.awarded_at ELSE xp_reached_at END
		WHERE id = NEW.user_id
		RETURNING WITH (OLD AS was) users.xp, users.on_board, was.xp AS xp_before,
			was.on_board AS on_board_before, was.xp_reached_at AS reached_before INTO moved;
		IF FOUND AND NEW.points <> 0 THEN
			INSERT INTO score_changes (user_id, at, change, xp, reached_before)
			VALUES (NEW.user_id, NEW.awarded_at, NEW.points, moved.xp, moved.reached_before);
			IF moved.on_board_before THEN INSERT INTO board_tally (xp, people) VALUES (moved.xp_before, -1); END IF;
			IF moved.on_board THEN INSERT INTO board_tally (xp, people) VALUES (moved.xp, 1); END IF;
		END IF;
	ELSE
		INSERT INTO group_scores AS s (group_id, user_id, xp, badge_count, reached_at)
		VALUES (NEW.group_id, NEW.user_id, NEW.points, 1, NEW.awarded_at)
		ON CONFLICT (group_id, user_id) DO UPDATE SET xp = s.xp + NEW.points, badge_count = s.badge_count + 1,
			reached_at = CASE WHEN NEW.points <> 0 THEN NEW.awarded_at ELSE s.reached_at END;
	END IF;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_scores()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	changes award_change[];
BEGIN
	IF TG_OP = 'DELETE' THEN
		SELECT array_agg((badge_id, user_id, group_id, -1, -is_public::integer,
			CASE WHEN hidden THEN 0 ELSE -points END, CASE WHEN hidden THEN 0 ELSE -1 END)::award_change)
		INTO changes FROM before;
	ELSE
		SELECT array_agg((badge_id, user_id, group_id, 0, seen, gained, counted)::award_change) INTO changes FROM (
			SELECT badge_id, user_id, group_id, sum(step * is_public::integer) AS seen,
				sum(CASE WHEN hidden THEN 0 ELSE step * points END) AS gained,
				sum(CASE WHEN hidden THEN 0 ELSE step END) AS counted
			FROM (SELECT -1 AS step, before.* FROM before UNION ALL SELECT 1, after.* FROM after) steps
			GROUP BY badge_id, user_id, group_id
		) sums WHERE seen <> 0 OR gained <> 0 OR counted <> 0;
	END IF;
	IF changes IS NULL THEN RETURN NULL; END IF;
	INSERT INTO badge_tally (badge_id, holders, public_holders)
	SELECT badge_id, sum(awards), sum(seen) FROM unnest(changes)
	GROUP BY badge_id HAVING sum(awards) <> 0 OR sum(seen) <> 0;
	IF EXISTS (SELECT 1 FROM unnest(changes) WHERE group_id IS NULL AND (counted <> 0 OR gained <> 0)) THEN
		WITH sums AS (
			SELECT user_id, sum(counted) AS counted, sum(gained) AS gained FROM unnest(changes)
			WHERE group_id IS NULL GROUP BY user_id
		), moved AS (
			UPDATE users SET xp = xp + sums.gained, badge_count = badge_count + sums.counted,
				xp_reached_at = CASE WHEN sums.gained <> 0 THEN now() ELSE xp_reached_at END
			FROM sums WHERE id = sums.user_id
			RETURNING WITH (OLD AS was) id, sums.gained, users.xp, users.on_board, was.xp AS xp_before,
				was.on_board AS on_board_before, was.xp_reached_at AS reached_before
		), logged AS (
			INSERT INTO score_changes (user_id, at, change, xp, reached_before)
			SELECT id, now(), gained, xp, reached_before FROM moved WHERE gained <> 0
		)
		INSERT INTO board_tally (xp, people)
		SELECT xp, sum(people) FROM (
			SELECT xp_before AS xp, -1 AS people FROM moved WHERE on_board_before
			UNION ALL SELECT xp, 1 FROM moved WHERE on_board
		) steps GROUP BY xp HAVING sum(people) <> 0;
	END IF;
	IF EXISTS (SELECT 1 FROM unnest(changes) WHERE group_id IS NOT NULL AND (counted <> 0 OR gained <> 0)) THEN
		UPDATE group_scores s SET xp = s.xp + sums.gained, badge_count = s.badge_count + sums.counted,
			reached_at = CASE WHEN sums.gained <> 0 THEN now() ELSE s.reached_at END
		FROM (
			SELECT group_id, user_id, sum(counted) AS counted, sum(gained) AS gained FROM unnest(changes)
			GROUP BY group_id, user_id
		) sums WHERE s.group_id = sums.group_id AND s.user_id = sums.user_id;
		DELETE FROM group_scores s USING unnest(changes) c
		WHERE s.group_id = c.group_id AND s.user_id = c.user_id AND s.badge_count = 0;
	END IF;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.limit_badges()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
	allowed integer;
BEGIN
	SELECT max_badges INTO allowed FROM groups WHERE id = NEW.group_id FOR NO KEY UPDATE;
	IF (SELECT count(*) FROM badges WHERE group_id = NEW.group_id) >= allowed THEN
		RAISE EXCEPTION 'too many badges' USING ERRCODE = 'check_violation', CONSTRAINT = 'badges_of_group_max';
	END IF;
	RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.lock_holders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION public.mark_ended_groups()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	INSERT INTO ended_groups (group_id) SELECT id FROM ended ON CONFLICT DO NOTHING;
	RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_overbooking()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	IF NEW.confirmed_count > OLD.confirmed_count AND NEW.confirmed_count > NEW.max_attendees THEN
		RAISE EXCEPTION 'event is full' USING ERRCODE = 'check_violation', CONSTRAINT = 'events_overbooked';
	END IF;
	RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_rewriting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
	RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $function$;

-- groups ----------------------------------------------------------------------------------------------
CREATE TABLE groups (
  id uuid NOT NULL,
  urlname text NOT NULL,
  name text NOT NULL,
  description text,
  website text,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  social_links jsonb DEFAULT '{}'::jsonb NOT NULL,
  photo_url text,
  hero_image_url text,
  theme_color text,
  is_listed boolean DEFAULT true NOT NULL,
  is_featured boolean DEFAULT false NOT NULL,
  favorites_count integer DEFAULT 0 NOT NULL,
  upstream_member_count integer,
  member_count integer GENERATED ALWAYS AS (favorites_count + COALESCE(upstream_member_count, 0)) STORED NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  max_badges integer DEFAULT 10 NOT NULL,
  max_badge_points integer DEFAULT 50 NOT NULL,
  CONSTRAINT groups_pkey PRIMARY KEY (id),
  CONSTRAINT groups_badge_limits CHECK (max_badges >= 0 AND max_badge_points >= 0),
  CONSTRAINT groups_favorites CHECK (favorites_count >= 0)
);
CREATE INDEX groups_by_age ON groups USING btree (created_at, id) WHERE is_listed;
CREATE INDEX groups_by_members ON groups USING btree (member_count, id) WHERE is_listed;
CREATE INDEX groups_by_name ON groups USING btree (name, id) WHERE is_listed;
CREATE INDEX groups_hero_upload ON groups USING btree (NULLIF("left"(split_part(split_part(hero_image_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text)) WHERE NULLIF("left"(split_part(split_part(hero_image_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text) IS NOT NULL;
CREATE INDEX groups_name_search ON groups USING gin (lower(name) gin_trgm_ops);
CREATE INDEX groups_photo_upload ON groups USING btree (NULLIF("left"(split_part(split_part(photo_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text)) WHERE NULLIF("left"(split_part(split_part(photo_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text) IS NOT NULL;
CREATE INDEX groups_tags ON groups USING gin (tags);
CREATE UNIQUE INDEX groups_urlname_key ON groups USING btree (lower(urlname));
CREATE TRIGGER groups_ended AFTER DELETE ON groups REFERENCING OLD TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION mark_ended_groups();

-- badges ----------------------------------------------------------------------------------------------
CREATE TABLE badges (
  id uuid NOT NULL,
  group_id uuid,
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  icon text NOT NULL,
  color text NOT NULL,
  points integer DEFAULT 0 NOT NULL,
  sort_order bigint DEFAULT 0 NOT NULL,
  hidden boolean DEFAULT false NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT badges_pkey PRIMARY KEY (id),
  CONSTRAINT badges_slug_key UNIQUE (slug),
  CONSTRAINT badges_hidden CHECK (NOT hidden OR group_id IS NULL),
  CONSTRAINT badges_points CHECK (points >= 0 AND points <= 1000),
  CONSTRAINT badges_group_id_groups_id_fk FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE
);
CREATE INDEX badges_of_group ON badges USING btree (group_id, sort_order, id);
CREATE INDEX badges_of_platform ON badges USING btree (sort_order, id) WHERE group_id IS NULL;
CREATE TRIGGER badges_forget_holders AFTER DELETE ON badges FOR EACH ROW EXECUTE FUNCTION forget_holders();
CREATE TRIGGER badges_holders_lose BEFORE DELETE ON badges FOR EACH ROW EXECUTE FUNCTION lock_holders();
CREATE TRIGGER badges_limit BEFORE INSERT ON badges FOR EACH ROW WHEN (new.group_id IS NOT NULL) EXECUTE FUNCTION limit_badges();
CREATE TRIGGER badges_worth_change AFTER UPDATE OF points, hidden ON badges FOR EACH ROW WHEN (old.points <> new.points OR old.hidden <> new.hidden) EXECUTE FUNCTION lock_holders();

-- achievements ----------------------------------------------------------------------------------------
CREATE TABLE achievements (
  key text NOT NULL,
  name text NOT NULL,
  description text,
  icon text,
  color text,
  target_value integer NOT NULL,
  badge_slug text,
  event_type text NOT NULL,
  conditions jsonb DEFAULT '[]'::jsonb NOT NULL,
  progress_mode text DEFAULT 'counter'::text NOT NULL,
  progress_field text,
  hidden boolean DEFAULT false NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  sort_order bigint DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT achievements_pkey PRIMARY KEY (key),
  CONSTRAINT achievements_distinct CHECK (progress_mode = 'counter'::text OR progress_field IS NOT NULL),
  CONSTRAINT achievements_mode CHECK (progress_mode = ANY (ARRAY['counter'::text, 'distinct'::text])),
  CONSTRAINT achievements_target CHECK (target_value >= 1),
  CONSTRAINT achievements_badge_slug_badges_slug_fk FOREIGN KEY (badge_slug) REFERENCES badges(slug) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE INDEX achievements_badge ON achievements USING btree (badge_slug);
CREATE INDEX achievements_order ON achievements USING btree (sort_order, key);

-- users -----------------------------------------------------------------------------------------------
CREATE TABLE users (
  id uuid NOT NULL,
  name text NOT NULL,
  username text,
  email text,
  avatar_url text,
  role text DEFAULT 'user'::text NOT NULL,
  suspended_at timestamp(3) with time zone,
  last_login_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  hero_image_url text,
  theme_color text,
  bio text,
  location text,
  social_links text[],
  profile_visibility text DEFAULT 'public'::text NOT NULL,
  show_on_leaderboard boolean,
  follower_count integer DEFAULT 0 NOT NULL,
  following_count integer DEFAULT 0 NOT NULL,
  xp integer DEFAULT 0 NOT NULL,
  badge_count integer DEFAULT 0 NOT NULL,
  xp_reached_at timestamp(3) with time zone,
  is_public boolean GENERATED ALWAYS AS (profile_visibility = 'public'::text AND suspended_at IS NULL AND username IS NOT NULL) STORED NOT NULL,
  on_board boolean GENERATED ALWAYS AS (profile_visibility = 'public'::text AND suspended_at IS NULL AND username IS NOT NULL AND show_on_leaderboard IS NOT FALSE AND xp > 0) STORED NOT NULL,
  language text,
  time_zone text,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_counts CHECK (follower_count >= 0 AND following_count >= 0),
  CONSTRAINT users_role CHECK (role = ANY (ARRAY['user'::text, 'admin'::text])),
  CONSTRAINT users_visibility CHECK (profile_visibility = ANY (ARRAY['public'::text, 'private'::text])),
  CONSTRAINT users_xp CHECK (xp >= 0 AND badge_count >= 0)
);
CREATE INDEX users_administrators ON users USING btree (id) WHERE role = 'admin'::text;
CREATE INDEX users_avatar_upload ON users USING btree (NULLIF("left"(split_part(split_part(avatar_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text)) WHERE NULLIF("left"(split_part(split_part(avatar_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text) IS NOT NULL;
CREATE INDEX users_board ON users USING btree (xp DESC, xp_reached_at, lower(username)) WHERE on_board;
CREATE INDEX users_by_badges ON users USING btree (badge_count, id) WHERE is_public;
CREATE INDEX users_by_xp ON users USING btree (xp, id) WHERE is_public;
CREATE UNIQUE INDEX users_email_key ON users USING btree (lower(email));
CREATE INDEX users_email_search ON users USING gin (lower(email) gin_trgm_ops);
CREATE INDEX users_hero_upload ON users USING btree (NULLIF("left"(split_part(split_part(hero_image_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text)) WHERE NULLIF("left"(split_part(split_part(hero_image_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text) IS NOT NULL;
CREATE INDEX users_joined ON users USING btree (created_at, id) WHERE is_public;
CREATE INDEX users_name_search ON users USING gin (lower(name) gin_trgm_ops) WHERE is_public;
CREATE INDEX users_private_name_search ON users USING gin (lower(name) gin_trgm_ops) WHERE NOT is_public;
CREATE INDEX users_private_username_search ON users USING gin (lower(username) gin_trgm_ops) WHERE NOT is_public;
CREATE INDEX users_scored_lately ON users USING btree (xp_reached_at) WHERE on_board;
CREATE UNIQUE INDEX users_username_key ON users USING btree (lower(username));
CREATE INDEX users_username_search ON users USING gin (lower(username) gin_trgm_ops) WHERE is_public;
CREATE TRIGGER users_administrator_changes AFTER UPDATE OF role, suspended_at ON users FOR EACH ROW WHEN (old.role = 'admin'::text AND old.suspended_at IS NULL) EXECUTE FUNCTION keep_an_administrator();
CREATE TRIGGER users_administrator_leaves AFTER DELETE ON users FOR EACH ROW WHEN (old.role = 'admin'::text AND old.suspended_at IS NULL) EXECUTE FUNCTION keep_an_administrator();
CREATE TRIGGER users_arrivals AFTER INSERT ON users REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION count_arrivals();
CREATE TRIGGER users_departures AFTER DELETE ON users REFERENCING OLD TABLE AS departed FOR EACH STATEMENT EXECUTE FUNCTION count_departures();
CREATE TRIGGER users_moves AFTER UPDATE ON users FOR EACH ROW WHEN (old.is_public <> new.is_public OR (old.on_board <> new.on_board OR old.xp <> new.xp AND new.on_board) AND (old.xp = new.xp OR pg_trigger_depth() = 0)) EXECUTE FUNCTION count_moves();

-- achievement_progress --------------------------------------------------------------------------------
CREATE TABLE achievement_progress (
  user_id uuid NOT NULL,
  achievement_key text NOT NULL,
  current_value integer DEFAULT 0 NOT NULL,
  completed_at timestamp(3) with time zone,
  CONSTRAINT achievement_progress_user_id_achievement_key_pk PRIMARY KEY (user_id, achievement_key),
  CONSTRAINT achievement_progress_achievement_key_achievements_key_fk FOREIGN KEY (achievement_key) REFERENCES achievements(key) ON DELETE CASCADE,
  CONSTRAINT achievement_progress_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX achievement_progress_key ON achievement_progress USING btree (achievement_key);

-- achievement_values ----------------------------------------------------------------------------------
CREATE TABLE achievement_values (
  user_id uuid NOT NULL,
  achievement_key text NOT NULL,
  value text NOT NULL,
  CONSTRAINT achievement_values_user_id_achievement_key_value_pk PRIMARY KEY (user_id, achievement_key, value),
  CONSTRAINT achievement_values_progress FOREIGN KEY (user_id, achievement_key) REFERENCES achievement_progress(user_id, achievement_key) ON DELETE CASCADE,
  CONSTRAINT achievement_values_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- sessions --------------------------------------------------------------------------------------------
CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  user_agent text,
  last_seen_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_hash_unique UNIQUE (hash),
  CONSTRAINT sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_user ON sessions USING btree (user_id, created_at, id);

-- address_changes -------------------------------------------------------------------------------------
CREATE TABLE address_changes (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  old_email text,
  new_email text NOT NULL,
  confirm_hash bytea NOT NULL,
  undo_hash bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  confirmed_at timestamp(3) with time zone,
  undo_until timestamp(3) with time zone NOT NULL,
  undone_at timestamp(3) with time zone,
  session_id uuid,
  CONSTRAINT address_changes_pkey PRIMARY KEY (id),
  CONSTRAINT address_changes_confirm_hash_unique UNIQUE (confirm_hash),
  CONSTRAINT address_changes_undo_hash_unique UNIQUE (undo_hash),
  CONSTRAINT address_changes_session FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE SET NULL,
  CONSTRAINT address_changes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX address_changes_asked ON address_changes USING btree (user_id) WHERE confirmed_at IS NULL AND undone_at IS NULL;
CREATE INDEX address_changes_end ON address_changes USING btree (undo_until);
CREATE INDEX address_changes_held ON address_changes USING btree (lower(old_email)) WHERE confirmed_at IS NOT NULL AND undone_at IS NULL;
CREATE INDEX address_changes_of_session ON address_changes USING btree (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX address_changes_user ON address_changes USING btree (user_id, created_at);

-- audit_log -------------------------------------------------------------------------------------------
CREATE TABLE audit_log (
  id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  actor_id uuid,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text NOT NULL,
  changes jsonb NOT NULL,
  request_id text NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_action ON audit_log USING btree (action, at, id);
CREATE INDEX audit_log_actor ON audit_log USING btree (actor_id, at, id);
CREATE INDEX audit_log_age ON audit_log USING btree (at, id);
CREATE INDEX audit_log_target ON audit_log USING btree (target_id, at, id);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();

-- badge_awards ----------------------------------------------------------------------------------------
CREATE TABLE badge_awards (
  id uuid NOT NULL,
  badge_id uuid NOT NULL,
  user_id uuid NOT NULL,
  group_id uuid,
  points integer DEFAULT 0 NOT NULL,
  is_public boolean DEFAULT false NOT NULL,
  source text NOT NULL,
  awarded_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  hidden boolean DEFAULT false NOT NULL,
  CONSTRAINT badge_awards_pkey PRIMARY KEY (id),
  CONSTRAINT badge_awards_once UNIQUE (badge_id, user_id),
  CONSTRAINT badge_awards_source CHECK (source = ANY (ARRAY['group'::text, 'admin'::text, 'claim'::text, 'achievement'::text])),
  CONSTRAINT badge_awards_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX badge_awards_of_user ON badge_awards USING btree (user_id, awarded_at, id);
CREATE TRIGGER badge_awards_changed AFTER UPDATE ON badge_awards REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION keep_scores();
CREATE TRIGGER badge_awards_complete BEFORE INSERT ON badge_awards FOR EACH ROW EXECUTE FUNCTION complete_award();
CREATE TRIGGER badge_awards_score AFTER INSERT ON badge_awards FOR EACH ROW EXECUTE FUNCTION keep_score();
CREATE TRIGGER badge_awards_taken AFTER DELETE ON badge_awards REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION keep_scores();

-- badge_tally -----------------------------------------------------------------------------------------
CREATE TABLE badge_tally (
  badge_id uuid NOT NULL,
  holders integer NOT NULL,
  public_holders integer NOT NULL
);
CREATE INDEX badge_tally_badge ON badge_tally USING btree (badge_id);

-- board_days ------------------------------------------------------------------------------------------
CREATE TABLE board_days (
  day date NOT NULL,
  taken_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT board_days_pkey PRIMARY KEY (day)
);

-- board_drafts ----------------------------------------------------------------------------------------
CREATE TABLE board_drafts (
  run uuid NOT NULL,
  below_zero integer NOT NULL,
  reached_at timestamp(3) with time zone NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT board_drafts_run_user_id_pk PRIMARY KEY (run, user_id)
);
CREATE INDEX board_drafts_order ON board_drafts USING btree (run, below_zero, reached_at);
CREATE INDEX board_drafts_user ON board_drafts USING btree (user_id);

-- board_snapshots -------------------------------------------------------------------------------------
CREATE TABLE board_snapshots (
  user_id uuid NOT NULL,
  day date NOT NULL,
  rank integer NOT NULL,
  xp integer NOT NULL,
  CONSTRAINT board_snapshots_user_id_day_pk PRIMARY KEY (user_id, day)
);
CREATE INDEX board_snapshots_days ON board_snapshots USING brin (day);

-- board_tally -----------------------------------------------------------------------------------------
CREATE TABLE board_tally (
  xp integer NOT NULL,
  people integer NOT NULL
);

-- calendar_host ---------------------------------------------------------------------------------------
CREATE TABLE calendar_host (
  "only" boolean DEFAULT true NOT NULL,
  host text NOT NULL,
  CONSTRAINT calendar_host_pkey PRIMARY KEY ("only"),
  CONSTRAINT calendar_host_only CHECK ("only")
);

-- events ----------------------------------------------------------------------------------------------
CREATE TABLE events (
  id uuid NOT NULL,
  group_id uuid NOT NULL,
  title text NOT NULL,
  description text,
  start_time timestamp(3) with time zone NOT NULL,
  end_time timestamp(3) with time zone,
  over_at timestamp(3) with time zone NOT NULL,
  timezone text NOT NULL,
  event_type text DEFAULT 'physical'::text NOT NULL,
  status text DEFAULT 'draft'::text NOT NULL,
  cancel_reason text,
  source text DEFAULT 'native'::text NOT NULL,
  platform_event_url text,
  online_url text,
  photo_url text,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  venue_name text,
  venue_address text,
  venue_city text,
  venue_state text,
  venue_postal_code text,
  venue_country text,
  venue_latitude double precision,
  venue_longitude double precision,
  max_attendees integer,
  confirmed_count integer DEFAULT 0 NOT NULL,
  upstream_rsvp_count integer,
  rsvp_count integer GENERATED ALWAYS AS (confirmed_count + COALESCE(upstream_rsvp_count, 0)) STORED NOT NULL,
  waitlist_tail integer DEFAULT 0 NOT NULL,
  sequence integer DEFAULT 0 NOT NULL,
  published_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (id),
  CONSTRAINT events_capacity CHECK (max_attendees IS NULL OR max_attendees >= 1),
  CONSTRAINT events_confirmed CHECK (confirmed_count >= 0),
  CONSTRAINT events_end_after_start CHECK (end_time IS NULL OR end_time > start_time),
  CONSTRAINT events_over CHECK (over_at = COALESCE(end_time, start_time + '03:00:00'::interval)),
  CONSTRAINT events_status CHECK (status = ANY (ARRAY['draft'::text, 'published'::text, 'cancelled'::text])),
  CONSTRAINT events_type CHECK (event_type = ANY (ARRAY['physical'::text, 'online'::text, 'hybrid'::text]))
);
CREATE INDEX events_by_age ON events USING btree (created_at, id) WHERE status <> 'draft'::text;
CREATE INDEX events_by_end ON events USING btree (over_at, group_id) WHERE status = 'published'::text;
CREATE INDEX events_by_rsvps ON events USING btree (rsvp_count, id) WHERE status <> 'draft'::text;
CREATE INDEX events_by_start ON events USING btree (start_time, id) WHERE status <> 'draft'::text;
CREATE INDEX events_city ON events USING btree (lower(venue_city), start_time);
CREATE INDEX events_of_group ON events USING btree (group_id, start_time, id);
CREATE INDEX events_photo_upload ON events USING btree (NULLIF("left"(split_part(split_part(photo_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text)) WHERE NULLIF("left"(split_part(split_part(photo_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text) IS NOT NULL;
CREATE INDEX events_span ON events USING gist (tstzrange(start_time, over_at)) WHERE status <> 'draft'::text;
CREATE INDEX events_tags ON events USING gin (tags);
CREATE INDEX events_title_search ON events USING gin (lower(title) gin_trgm_ops);
CREATE TRIGGER events_capacity_guard BEFORE UPDATE OF confirmed_count ON events FOR EACH ROW EXECUTE FUNCTION refuse_overbooking();
CREATE TRIGGER events_group BEFORE INSERT OR UPDATE OF group_id ON events FOR EACH ROW EXECUTE FUNCTION demand_group();
CREATE TRIGGER events_words AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION index_event_words();
CREATE TRIGGER events_words_changed AFTER UPDATE OF title, description, venue_name, venue_address, venue_city ON events FOR EACH ROW WHEN (old.title IS DISTINCT FROM new.title OR old.description IS DISTINCT FROM new.description OR old.venue_name IS DISTINCT FROM new.venue_name OR old.venue_address IS DISTINCT FROM new.venue_address OR old.venue_city IS DISTINCT FROM new.venue_city) EXECUTE FUNCTION index_event_words();

-- checkin_codes ---------------------------------------------------------------------------------------
CREATE TABLE checkin_codes (
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  code text NOT NULL,
  label text,
  max_uses integer,
  current_uses integer DEFAULT 0 NOT NULL,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT checkin_codes_pkey PRIMARY KEY (id),
  CONSTRAINT checkin_codes_code_unique UNIQUE (code),
  CONSTRAINT checkin_codes_uses CHECK (current_uses >= 0 AND (max_uses IS NULL OR current_uses <= max_uses)),
  CONSTRAINT checkin_codes_event_id_events_id_fk FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
);
CREATE INDEX checkin_codes_event ON checkin_codes USING btree (event_id, created_at, id);

-- guests ----------------------------------------------------------------------------------------------
CREATE TABLE guests (
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  name text,
  email text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT guests_pkey PRIMARY KEY (id),
  CONSTRAINT guests_named CHECK (num_nonnulls(name, email) >= 1),
  CONSTRAINT guests_event_id_events_id_fk FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
);
CREATE INDEX guests_by_age ON guests USING btree (created_at, id);
CREATE INDEX guests_by_email ON guests USING btree (email) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX guests_email_once ON guests USING btree (event_id, email) WHERE email IS NOT NULL;
CREATE INDEX guests_of_event ON guests USING btree (event_id, id);

-- checkins --------------------------------------------------------------------------------------------
CREATE TABLE checkins (
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  user_id uuid,
  code_id uuid,
  method text NOT NULL,
  checked_in_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  guest_id uuid,
  CONSTRAINT checkins_pkey PRIMARY KEY (id),
  CONSTRAINT checkins_once UNIQUE (event_id, user_id),
  CONSTRAINT checkins_method CHECK (method = ANY (ARRAY['link'::text, 'qr'::text, 'nfc'::text, 'manual'::text])),
  CONSTRAINT checkins_person_or_guest CHECK (num_nonnulls(user_id, guest_id) <= 1),
  CONSTRAINT checkins_code_id_checkin_codes_id_fk FOREIGN KEY (code_id) REFERENCES checkin_codes(id) ON DELETE SET NULL,
  CONSTRAINT checkins_event_id_events_id_fk FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  CONSTRAINT checkins_guest_id_guests_id_fk FOREIGN KEY (guest_id) REFERENCES guests(id) ON DELETE SET NULL,
  CONSTRAINT checkins_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX checkins_code ON checkins USING btree (code_id) WHERE code_id IS NOT NULL;
CREATE INDEX checkins_of_event ON checkins USING btree (event_id, checked_in_at);
CREATE UNIQUE INDEX checkins_of_guest ON checkins USING btree (guest_id) WHERE guest_id IS NOT NULL;
CREATE INDEX checkins_of_user ON checkins USING btree (user_id, checked_in_at);

-- claim_links -----------------------------------------------------------------------------------------
CREATE TABLE claim_links (
  id uuid NOT NULL,
  badge_id uuid NOT NULL,
  code text NOT NULL,
  max_uses integer,
  current_uses integer DEFAULT 0 NOT NULL,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT claim_links_pkey PRIMARY KEY (id),
  CONSTRAINT claim_links_code_unique UNIQUE (code),
  CONSTRAINT claim_links_uses CHECK (current_uses >= 0 AND (max_uses IS NULL OR current_uses <= max_uses)),
  CONSTRAINT claim_links_badge_id_badges_id_fk FOREIGN KEY (badge_id) REFERENCES badges(id) ON DELETE CASCADE
);
CREATE INDEX claim_links_badge ON claim_links USING btree (badge_id, created_at, id);

-- pass_designs ----------------------------------------------------------------------------------------
CREATE TABLE pass_designs (
  id text NOT NULL,
  name text NOT NULL,
  image_url text,
  model_url text,
  theme_color text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pass_designs_pkey PRIMARY KEY (id)
);
CREATE INDEX pass_designs_image_upload ON pass_designs USING btree (NULLIF("left"(split_part(split_part(image_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text)) WHERE NULLIF("left"(split_part(split_part(image_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text) IS NOT NULL;
CREATE INDEX pass_designs_model_upload ON pass_designs USING btree (NULLIF("left"(split_part(split_part(model_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text)) WHERE NULLIF("left"(split_part(split_part(model_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text) IS NOT NULL;

-- passes ----------------------------------------------------------------------------------------------
CREATE TABLE passes (
  id text NOT NULL,
  type text NOT NULL,
  owner_id uuid,
  label text,
  design_id text,
  action text DEFAULT 'profile'::text NOT NULL,
  auto_follow boolean DEFAULT false NOT NULL,
  is_active boolean DEFAULT true NOT NULL,
  claimed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT passes_pkey PRIMARY KEY (id),
  CONSTRAINT passes_action CHECK (action = ANY (ARRAY['profile'::text, 'contact'::text, 'follow'::text])),
  CONSTRAINT passes_id CHECK (id ~ '^[2-9a-hjkmnp-z]{16}$'::text),
  CONSTRAINT passes_qr_owned CHECK (type <> 'qrcode'::text OR owner_id IS NOT NULL),
  CONSTRAINT passes_type CHECK (type = ANY (ARRAY['qrcode'::text, 'nfc'::text])),
  CONSTRAINT passes_design_id_pass_designs_id_fk FOREIGN KEY (design_id) REFERENCES pass_designs(id) ON DELETE SET NULL,
  CONSTRAINT passes_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX passes_design ON passes USING btree (design_id) WHERE design_id IS NOT NULL;
CREATE INDEX passes_owner ON passes USING btree (owner_id, created_at, id);
CREATE UNIQUE INDEX passes_qr ON passes USING btree (owner_id) WHERE type = 'qrcode'::text;
CREATE INDEX passes_tags ON passes USING btree (created_at, id) WHERE type = 'nfc'::text;

-- connections -----------------------------------------------------------------------------------------
CREATE TABLE connections (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  visitor_id uuid,
  stranger_hash bytea,
  pass_id text,
  created_at timestamp(3) with time zone NOT NULL,
  owner_removed_at timestamp(3) with time zone,
  visitor_removed_at timestamp(3) with time zone,
  CONSTRAINT connections_pkey PRIMARY KEY (id),
  CONSTRAINT connections_one_visitor CHECK (num_nonnulls(visitor_id, stranger_hash) = 1),
  CONSTRAINT connections_others CHECK (owner_id <> visitor_id),
  CONSTRAINT connections_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT connections_pass_id_passes_id_fk FOREIGN KEY (pass_id) REFERENCES passes(id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT connections_visitor_id_users_id_fk FOREIGN KEY (visitor_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX connections_expired ON connections USING btree (created_at, id) WHERE stranger_hash IS NOT NULL;
CREATE INDEX connections_inbound ON connections USING btree (owner_id, created_at, id);
CREATE INDEX connections_outbound ON connections USING btree (visitor_id, created_at, id) WHERE visitor_id IS NOT NULL;
CREATE UNIQUE INDEX connections_pair ON connections USING btree (LEAST(owner_id, visitor_id), GREATEST(owner_id, visitor_id)) WHERE visitor_id IS NOT NULL;
CREATE INDEX connections_pass ON connections USING btree (pass_id, created_at, id);
CREATE UNIQUE INDEX connections_stranger ON connections USING btree (stranger_hash, owner_id) WHERE stranger_hash IS NOT NULL;

-- data_exports ----------------------------------------------------------------------------------------
CREATE TABLE data_exports (
  id uuid NOT NULL,
  user_id uuid,
  job_id uuid,
  file uuid,
  size bigint,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  grant_id uuid,
  CONSTRAINT data_exports_pkey PRIMARY KEY (id),
  CONSTRAINT data_exports_whole CHECK (num_nulls(file, size) = ANY (ARRAY[0, 2])),
  CONSTRAINT data_exports_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX data_exports_ended ON data_exports USING btree (id) WHERE user_id IS NULL;
CREATE INDEX data_exports_expiry ON data_exports USING btree (expires_at, id);
CREATE UNIQUE INDEX data_exports_file ON data_exports USING btree (file);
CREATE INDEX data_exports_user ON data_exports USING btree (user_id, created_at);

-- ended_groups ----------------------------------------------------------------------------------------
CREATE TABLE ended_groups (
  group_id uuid NOT NULL,
  CONSTRAINT ended_groups_pkey PRIMARY KEY (group_id)
);

-- entitlements ----------------------------------------------------------------------------------------
CREATE TABLE entitlements (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  entitlement text NOT NULL,
  granted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone,
  source text,
  CONSTRAINT entitlements_pkey PRIMARY KEY (id),
  CONSTRAINT entitlements_once UNIQUE (user_id, entitlement),
  CONSTRAINT entitlements_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX entitlements_of_user ON entitlements USING btree (user_id, granted_at, id);

-- event_notices ---------------------------------------------------------------------------------------
CREATE TABLE event_notices (
  event_id uuid NOT NULL,
  moved_from jsonb,
  moves integer DEFAULT 0 NOT NULL,
  reminded_of timestamp(3) with time zone,
  CONSTRAINT event_notices_pkey PRIMARY KEY (event_id),
  CONSTRAINT event_notices_event_id_events_id_fk FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
);

-- event_words -----------------------------------------------------------------------------------------
CREATE TABLE event_words (
  event_id uuid NOT NULL,
  title text NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT event_words_pkey PRIMARY KEY (event_id),
  CONSTRAINT event_words_event_id_events_id_fk FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
);
CREATE INDEX event_words_search ON event_words USING gin (words);
CREATE INDEX event_words_title ON event_words USING gin (title gin_trgm_ops);

-- favorites -------------------------------------------------------------------------------------------
CREATE TABLE favorites (
  user_id uuid NOT NULL,
  group_id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT favorites_user_id_group_id_pk PRIMARY KEY (user_id, group_id),
  CONSTRAINT favorites_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX favorites_of_group ON favorites USING btree (group_id, created_at, user_id);
CREATE INDEX favorites_of_user ON favorites USING btree (user_id, created_at, group_id);
CREATE TRIGGER favorites_count AFTER INSERT OR DELETE ON favorites FOR EACH ROW EXECUTE FUNCTION count_favorites();
CREATE TRIGGER favorites_group BEFORE INSERT OR UPDATE OF group_id ON favorites FOR EACH ROW EXECUTE FUNCTION demand_group();

-- feed_tokens -----------------------------------------------------------------------------------------
CREATE TABLE feed_tokens (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT feed_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT feed_tokens_hash UNIQUE (hash),
  CONSTRAINT feed_tokens_owner UNIQUE (user_id),
  CONSTRAINT feed_tokens_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- feed_subscription_requests --------------------------------------------------------------------------
CREATE TABLE feed_subscription_requests (
  id uuid NOT NULL,
  mode text NOT NULL,
  key bytea NOT NULL,
  asker bytea NOT NULL,
  topic text NOT NULL,
  feed_token_id uuid,
  user_id uuid,
  group_id uuid,
  callback text NOT NULL,
  callback_host text NOT NULL,
  sealed bytea NOT NULL,
  lease_seconds integer NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  lease_owner uuid,
  lease_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT feed_subscription_requests_pkey PRIMARY KEY (id),
  CONSTRAINT feed_subscription_requests_once UNIQUE (key, asker),
  CONSTRAINT feed_subscription_requests_mode CHECK (mode = ANY (ARRAY['subscribe'::text, 'unsubscribe'::text])),
  CONSTRAINT feed_subscription_requests_feed_token_id_feed_tokens_id_fk FOREIGN KEY (feed_token_id) REFERENCES feed_tokens(id) ON DELETE CASCADE
);
CREATE INDEX feed_subscription_requests_age ON feed_subscription_requests USING btree (created_at, id);
CREATE INDEX feed_subscription_requests_due ON feed_subscription_requests USING btree (due_at);
CREATE INDEX feed_subscription_requests_host ON feed_subscription_requests USING btree (callback_host, asker);
CREATE INDEX feed_subscription_requests_token ON feed_subscription_requests USING btree (feed_token_id);

-- feed_subscriptions ----------------------------------------------------------------------------------
CREATE TABLE feed_subscriptions (
  id uuid NOT NULL,
  key bytea NOT NULL,
  topic text NOT NULL,
  feed_token_id uuid,
  user_id uuid,
  group_id uuid,
  callback text NOT NULL,
  callback_host text NOT NULL,
  sealed bytea NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  etag text,
  pushed_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  changes integer DEFAULT 0 NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  failing_since timestamp(3) with time zone,
  lease_owner uuid,
  lease_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  asker bytea,
  bytes integer DEFAULT 0 NOT NULL,
  CONSTRAINT feed_subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT feed_subscriptions_once UNIQUE (key),
  CONSTRAINT feed_subscriptions_person CHECK ((feed_token_id IS NULL) = (user_id IS NULL))
);
CREATE INDEX feed_subscriptions_age ON feed_subscriptions USING btree (expires_at, id);
CREATE INDEX feed_subscriptions_asker ON feed_subscriptions USING btree (asker);
CREATE INDEX feed_subscriptions_due ON feed_subscriptions USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX feed_subscriptions_group ON feed_subscriptions USING btree (group_id);
CREATE INDEX feed_subscriptions_host ON feed_subscriptions USING btree (callback_host);
CREATE INDEX feed_subscriptions_token ON feed_subscriptions USING btree (feed_token_id);
CREATE INDEX feed_subscriptions_user ON feed_subscriptions USING btree (user_id);

-- feed_versions ---------------------------------------------------------------------------------------
CREATE TABLE feed_versions (
  key bytea NOT NULL,
  etag text NOT NULL,
  changed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  read_on date DEFAULT CURRENT_DATE NOT NULL,
  CONSTRAINT feed_versions_pkey PRIMARY KEY (key),
  CONSTRAINT feed_versions_key CHECK (octet_length(key) = 32)
);
CREATE INDEX feed_versions_age ON feed_versions USING btree (read_on, key);

-- follows ---------------------------------------------------------------------------------------------
CREATE TABLE follows (
  follower_id uuid NOT NULL,
  followee_id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  follower_counts boolean DEFAULT true NOT NULL,
  followee_counts boolean DEFAULT true NOT NULL,
  CONSTRAINT follows_follower_id_followee_id_pk PRIMARY KEY (follower_id, followee_id),
  CONSTRAINT follows_others CHECK (follower_id <> followee_id)
);
CREATE INDEX follows_followers ON follows USING btree (followee_id, created_at, follower_id);
CREATE INDEX follows_following ON follows USING btree (follower_id, created_at, followee_id);
CREATE TRIGGER follows_complete BEFORE INSERT ON follows FOR EACH ROW EXECUTE FUNCTION complete_follow();

-- group_claim_invites ---------------------------------------------------------------------------------
CREATE TABLE group_claim_invites (
  id uuid NOT NULL,
  group_id uuid NOT NULL,
  hash bytea NOT NULL,
  auto_approve boolean DEFAULT false NOT NULL,
  expires_at timestamp(3) with time zone,
  used_at timestamp(3) with time zone,
  used_by uuid,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT group_claim_invites_pkey PRIMARY KEY (id),
  CONSTRAINT group_claim_invites_hash_unique UNIQUE (hash),
  CONSTRAINT group_claim_invites_group_id_groups_id_fk FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  CONSTRAINT group_claim_invites_used_by_users_id_fk FOREIGN KEY (used_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX group_claim_invites_group ON group_claim_invites USING btree (group_id);
CREATE INDEX group_claim_invites_user ON group_claim_invites USING btree (used_by);

-- group_claims ----------------------------------------------------------------------------------------
CREATE TABLE group_claims (
  id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  notes text,
  status text DEFAULT 'pending'::text NOT NULL,
  decided_at timestamp(3) with time zone,
  decided_by uuid,
  decision_notes text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT group_claims_pkey PRIMARY KEY (id),
  CONSTRAINT group_claims_decided CHECK ((status = 'pending'::text) = (decided_at IS NULL)),
  CONSTRAINT group_claims_status CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])),
  CONSTRAINT group_claims_decided_by_users_id_fk FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT group_claims_group_id_groups_id_fk FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  CONSTRAINT group_claims_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX group_claims_age ON group_claims USING btree (created_at, id);
CREATE INDEX group_claims_decider ON group_claims USING btree (decided_by);
CREATE UNIQUE INDEX group_claims_pending ON group_claims USING btree (group_id, user_id) WHERE status = 'pending'::text;
CREATE INDEX group_claims_user ON group_claims USING btree (user_id);

-- group_members ---------------------------------------------------------------------------------------
CREATE TABLE group_members (
  id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  is_given boolean DEFAULT false NOT NULL,
  CONSTRAINT group_members_pkey PRIMARY KEY (id),
  CONSTRAINT group_members_once UNIQUE (group_id, user_id),
  CONSTRAINT group_members_role CHECK (role = ANY (ARRAY['owner'::text, 'manager'::text, 'volunteer'::text])),
  CONSTRAINT group_members_group_id_groups_id_fk FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  CONSTRAINT group_members_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX group_members_user ON group_members USING btree (user_id, group_id);
CREATE TRIGGER group_members_owner AFTER DELETE OR UPDATE OF role ON group_members FOR EACH ROW EXECUTE FUNCTION keep_an_owner();

-- group_scores ----------------------------------------------------------------------------------------
CREATE TABLE group_scores (
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  xp integer NOT NULL,
  badge_count integer NOT NULL,
  reached_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT group_scores_group_id_user_id_pk PRIMARY KEY (group_id, user_id),
  CONSTRAINT group_scores_counts CHECK (xp >= 0 AND badge_count >= 0),
  CONSTRAINT group_scores_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX group_scores_board ON group_scores USING btree (group_id, xp DESC, reached_at, user_id);
CREATE INDEX group_scores_of_user ON group_scores USING btree (user_id);

-- heartbeats ------------------------------------------------------------------------------------------
CREATE TABLE heartbeats (
  worker text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT heartbeats_pkey PRIMARY KEY (worker)
);

-- idempotency_keys ------------------------------------------------------------------------------------
CREATE TABLE idempotency_keys (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  claim uuid,
  claimed_until timestamp(3) with time zone NOT NULL,
  outcome text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  holder integer,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id),
  CONSTRAINT idempotency_keys_caller UNIQUE (user_id, key_hash),
  CONSTRAINT idempotency_keys_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);

-- identities ------------------------------------------------------------------------------------------
CREATE TABLE identities (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  subject text NOT NULL,
  username text,
  email text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT identities_pkey PRIMARY KEY (id),
  CONSTRAINT identities_of_user UNIQUE (user_id, provider),
  CONSTRAINT identities_subject UNIQUE (provider, subject),
  CONSTRAINT identities_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- installation ----------------------------------------------------------------------------------------
CREATE TABLE installation (
  "only" boolean DEFAULT true NOT NULL,
  use text NOT NULL,
  backed_up_at timestamp(3) with time zone,
  CONSTRAINT installation_pkey PRIMARY KEY ("only"),
  CONSTRAINT installation_only CHECK ("only"),
  CONSTRAINT installation_use CHECK (use = ANY (ARRAY['demo'::text, 'production'::text]))
);

-- jobs ------------------------------------------------------------------------------------------------
CREATE TABLE jobs (
  id uuid NOT NULL,
  kind text NOT NULL,
  owner_id uuid NOT NULL,
  input jsonb NOT NULL,
  status text DEFAULT 'queued'::text NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  total integer,
  result jsonb,
  error text,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  CONSTRAINT jobs_pkey PRIMARY KEY (id),
  CONSTRAINT jobs_finished_at CHECK ((status = ANY (ARRAY['done'::text, 'failed'::text])) = (finished_at IS NOT NULL)),
  CONSTRAINT jobs_status CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])),
  CONSTRAINT jobs_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX jobs_due ON jobs USING btree (next_attempt_at) WHERE finished_at IS NULL;
CREATE INDEX jobs_finished ON jobs USING btree (finished_at, id);
CREATE INDEX jobs_owner ON jobs USING btree (owner_id);

-- kept_mails ------------------------------------------------------------------------------------------
CREATE TABLE kept_mails (
  id uuid NOT NULL,
  sealed bytea NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  mailbox bytea,
  CONSTRAINT kept_mails_pkey PRIMARY KEY (id)
);
CREATE INDEX kept_mails_at ON kept_mails USING btree (at, id);
CREATE INDEX kept_mails_mailbox ON kept_mails USING btree (mailbox, at);

-- mail_items ------------------------------------------------------------------------------------------
CREATE TABLE mail_items (
  user_id uuid NOT NULL,
  letter text NOT NULL,
  item text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  mail_id uuid,
  CONSTRAINT mail_items_user_id_letter_item_pk PRIMARY KEY (user_id, letter, item),
  CONSTRAINT mail_items_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX mail_items_at ON mail_items USING btree (at, user_id, letter, item);

-- mail_switches ---------------------------------------------------------------------------------------
CREATE TABLE mail_switches (
  user_id uuid NOT NULL,
  kind text NOT NULL,
  is_on boolean NOT NULL,
  CONSTRAINT mail_switches_user_id_kind_pk PRIMARY KEY (user_id, kind),
  CONSTRAINT mail_switches_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX mail_switches_on ON mail_switches USING btree (kind, user_id) WHERE is_on;

-- mails -----------------------------------------------------------------------------------------------
CREATE TABLE mails (
  id uuid NOT NULL,
  user_id uuid,
  address text,
  letter text NOT NULL,
  fact text NOT NULL,
  topic text,
  data jsonb DEFAULT '{}'::jsonb NOT NULL,
  sealed bytea,
  urgency smallint NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  outcome text,
  CONSTRAINT mails_pkey PRIMARY KEY (id),
  CONSTRAINT mails_outcome CHECK ((outcome = ANY (ARRAY['sent'::text, 'unwanted'::text, 'untrue'::text, 'refused'::text, 'expired'::text])) AND finished_at IS NOT NULL OR outcome IS NULL AND finished_at IS NULL),
  CONSTRAINT mails_reader CHECK (user_id IS NOT NULL OR address IS NOT NULL OR finished_at IS NOT NULL),
  CONSTRAINT mails_urgency CHECK (urgency >= '-4'::integer AND urgency <= 2),
  CONSTRAINT mails_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX mails_due ON mails USING btree (urgency, due_at, id) WHERE finished_at IS NULL;
CREATE INDEX mails_failed ON mails USING btree (finished_at) WHERE outcome = ANY (ARRAY['refused'::text, 'expired'::text]);
CREATE INDEX mails_finished ON mails USING btree (finished_at, id);
CREATE UNIQUE INDEX mails_once ON mails USING btree (user_id, letter, fact) WHERE user_id IS NOT NULL;
CREATE INDEX mails_topic ON mails USING btree (user_id, letter, topic) WHERE topic IS NOT NULL;
CREATE UNIQUE INDEX mails_waiting ON mails USING btree (user_id, letter, topic) WHERE topic IS NOT NULL AND finished_at IS NULL AND attempts = 0;

-- mover_lists -----------------------------------------------------------------------------------------
CREATE TABLE mover_lists (
  id uuid NOT NULL,
  period text NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  total integer,
  CONSTRAINT mover_lists_pkey PRIMARY KEY (id)
);

-- mover_marks -----------------------------------------------------------------------------------------
CREATE TABLE mover_marks (
  list uuid NOT NULL,
  place integer NOT NULL,
  loss integer NOT NULL,
  fall integer NOT NULL,
  name text NOT NULL,
  CONSTRAINT mover_marks_list_place_pk PRIMARY KEY (list, place),
  CONSTRAINT mover_marks_list_mover_lists_id_fk FOREIGN KEY (list) REFERENCES mover_lists(id) ON DELETE CASCADE
);

-- movers ----------------------------------------------------------------------------------------------
CREATE TABLE movers (
  list uuid NOT NULL,
  loss integer NOT NULL,
  fall integer NOT NULL,
  name text NOT NULL,
  user_id uuid NOT NULL,
  xp integer NOT NULL,
  rank integer NOT NULL,
  previous_rank integer,
  CONSTRAINT movers_list_user_id_pk PRIMARY KEY (list, user_id)
);
CREATE INDEX movers_order ON movers USING btree (list, loss, fall, name);
CREATE INDEX movers_user ON movers USING btree (user_id);

-- oauth_clients ---------------------------------------------------------------------------------------
CREATE TABLE oauth_clients (
  client_id text NOT NULL,
  owner_id uuid,
  name text NOT NULL,
  description text,
  redirect_uris text[] NOT NULL,
  website text,
  logo_uri text,
  policy_uri text,
  tos_uri text,
  auth_method text NOT NULL,
  secret_hash bytea,
  scopes text[],
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp(3) with time zone,
  made_by_grant uuid,
  registration_hash bytea,
  CONSTRAINT oauth_clients_pkey PRIMARY KEY (client_id),
  CONSTRAINT oauth_clients_redirects CHECK (cardinality(redirect_uris) >= 1 AND cardinality(redirect_uris) <= 10),
  CONSTRAINT oauth_clients_secret CHECK ((auth_method = 'none'::text) = (secret_hash IS NULL)),
  CONSTRAINT oauth_clients_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_clients_logo_upload ON oauth_clients USING btree (NULLIF("left"(split_part(split_part(logo_uri, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text)) WHERE NULLIF("left"(split_part(split_part(logo_uri, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text) IS NOT NULL;
CREATE INDEX oauth_clients_of_grant ON oauth_clients USING btree (made_by_grant) WHERE made_by_grant IS NOT NULL;
CREATE INDEX oauth_clients_owner ON oauth_clients USING btree (owner_id, created_at);
CREATE UNIQUE INDEX oauth_clients_public_registration ON oauth_clients USING btree (registration_hash) WHERE auth_method = 'none'::text;
CREATE INDEX oauth_clients_secret_registration ON oauth_clients USING btree (registration_hash) WHERE auth_method <> 'none'::text AND registration_hash IS NOT NULL;
CREATE INDEX oauth_clients_unowned ON oauth_clients USING btree (created_at) WHERE owner_id IS NULL;

-- oauth_grants ----------------------------------------------------------------------------------------
CREATE TABLE oauth_grants (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  client_id text NOT NULL,
  scopes text[] NOT NULL,
  granted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp(3) with time zone,
  declined text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT oauth_grants_pkey PRIMARY KEY (id),
  CONSTRAINT oauth_grants_pair UNIQUE (user_id, client_id),
  CONSTRAINT oauth_grants_client_id_oauth_clients_client_id_fk FOREIGN KEY (client_id) REFERENCES oauth_clients(client_id) ON DELETE CASCADE,
  CONSTRAINT oauth_grants_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_grants_client ON oauth_grants USING btree (client_id);
CREATE INDEX oauth_grants_of_user ON oauth_grants USING btree (user_id, granted_at, id);

-- oauth_families --------------------------------------------------------------------------------------
CREATE TABLE oauth_families (
  id uuid NOT NULL,
  grant_id uuid NOT NULL,
  scopes text[] NOT NULL,
  generation integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT oauth_families_pkey PRIMARY KEY (id),
  CONSTRAINT oauth_families_grant_id_oauth_grants_id_fk FOREIGN KEY (grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE
);
CREATE INDEX oauth_families_grant ON oauth_families USING btree (grant_id);

-- oauth_access_tokens ---------------------------------------------------------------------------------
CREATE TABLE oauth_access_tokens (
  id uuid NOT NULL,
  family_id uuid NOT NULL,
  hash bytea NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  resource text,
  CONSTRAINT oauth_access_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT oauth_access_tokens_hash_unique UNIQUE (hash),
  CONSTRAINT oauth_access_tokens_family_id_oauth_families_id_fk FOREIGN KEY (family_id) REFERENCES oauth_families(id) ON DELETE CASCADE
);
CREATE INDEX oauth_access_tokens_expiry ON oauth_access_tokens USING btree (expires_at);
CREATE INDEX oauth_access_tokens_family ON oauth_access_tokens USING btree (family_id);

-- oauth_codes -----------------------------------------------------------------------------------------
CREATE TABLE oauth_codes (
  hash bytea NOT NULL,
  family_id uuid NOT NULL,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  resource text,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT oauth_codes_pkey PRIMARY KEY (hash),
  CONSTRAINT oauth_codes_family_id_oauth_families_id_fk FOREIGN KEY (family_id) REFERENCES oauth_families(id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_expiry ON oauth_codes USING btree (expires_at);
CREATE INDEX oauth_codes_family ON oauth_codes USING btree (family_id);

-- oauth_refresh_tokens --------------------------------------------------------------------------------
CREATE TABLE oauth_refresh_tokens (
  family_id uuid NOT NULL,
  generation integer NOT NULL,
  hash bytea NOT NULL,
  used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  resource text,
  CONSTRAINT oauth_refresh_tokens_family_id_generation_pk PRIMARY KEY (family_id, generation),
  CONSTRAINT oauth_refresh_tokens_hash_unique UNIQUE (hash),
  CONSTRAINT oauth_refresh_tokens_family_id_oauth_families_id_fk FOREIGN KEY (family_id) REFERENCES oauth_families(id) ON DELETE CASCADE
);
CREATE INDEX oauth_refresh_tokens_expiry ON oauth_refresh_tokens USING btree (expires_at);

-- object_sequences ------------------------------------------------------------------------------------
CREATE TABLE object_sequences (
  object bigint NOT NULL,
  last bigint NOT NULL,
  CONSTRAINT object_sequences_pkey PRIMARY KEY (object)
);

-- onboarding_dismissals -------------------------------------------------------------------------------
CREATE TABLE onboarding_dismissals (
  user_id uuid NOT NULL,
  step text NOT NULL,
  dismissed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT onboarding_dismissals_user_id_step_pk PRIMARY KEY (user_id, step),
  CONSTRAINT onboarding_dismissals_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

-- outbox ----------------------------------------------------------------------------------------------
CREATE TABLE outbox (
  id uuid NOT NULL,
  type text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  relayed_at timestamp(3) with time zone,
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  retry_at timestamp(3) with time zone,
  sequence bigint,
  urgency smallint DEFAULT 1 NOT NULL,
  CONSTRAINT outbox_pkey PRIMARY KEY (id)
);
CREATE INDEX outbox_pending ON outbox USING btree (urgency, created_at, id) WHERE relayed_at IS NULL;
CREATE INDEX outbox_relayed ON outbox USING btree (relayed_at);
CREATE INDEX outbox_words ON outbox USING btree ((payload ->> 'userId'::text)) WHERE type = ANY (ARRAY['token.created'::text, 'upload.completed'::text, 'upload.deleted'::text]);

-- pass_sheets -----------------------------------------------------------------------------------------
CREATE TABLE pass_sheets (
  id uuid NOT NULL,
  event_id uuid,
  job_id uuid,
  kind text NOT NULL,
  paper text NOT NULL,
  start_at integer NOT NULL,
  sort text NOT NULL,
  checkin_code_id uuid,
  file uuid,
  size integer,
  pages integer,
  missing jsonb DEFAULT '[]'::jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT pass_sheets_pkey PRIMARY KEY (id),
  CONSTRAINT pass_sheets_kind CHECK (kind = ANY (ARRAY['badges'::text, 'stickers'::text, 'checkin-poster'::text])),
  CONSTRAINT pass_sheets_paper CHECK (paper = ANY (ARRAY['a4'::text, 'letter'::text, 'avery-l7160'::text, 'avery-5163'::text, 'badge-86x54'::text])),
  CONSTRAINT pass_sheets_sort CHECK (sort = ANY (ARRAY['name'::text, 'rsvp'::text])),
  CONSTRAINT pass_sheets_start CHECK (start_at >= 1),
  CONSTRAINT pass_sheets_whole CHECK (num_nulls(file, size, pages) = ANY (ARRAY[0, 3])),
  CONSTRAINT pass_sheets_checkin_code_id_checkin_codes_id_fk FOREIGN KEY (checkin_code_id) REFERENCES checkin_codes(id) ON DELETE SET NULL,
  CONSTRAINT pass_sheets_event_id_events_id_fk FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE SET NULL,
  CONSTRAINT pass_sheets_job_id_jobs_id_fk FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE SET NULL
);
CREATE INDEX pass_sheets_code ON pass_sheets USING btree (checkin_code_id) WHERE checkin_code_id IS NOT NULL;
CREATE INDEX pass_sheets_ended ON pass_sheets USING btree (id) WHERE event_id IS NULL OR job_id IS NULL AND file IS NULL;
CREATE INDEX pass_sheets_event ON pass_sheets USING btree (event_id, created_at, id);
CREATE INDEX pass_sheets_expired ON pass_sheets USING btree (expires_at, id);
CREATE UNIQUE INDEX pass_sheets_file ON pass_sheets USING btree (file);
CREATE INDEX pass_sheets_job ON pass_sheets USING btree (job_id) WHERE job_id IS NOT NULL;

-- pass_strangers --------------------------------------------------------------------------------------
CREATE TABLE pass_strangers (
  pass_id text NOT NULL,
  kept integer NOT NULL,
  CONSTRAINT pass_strangers_pkey PRIMARY KEY (pass_id),
  CONSTRAINT pass_strangers_pass_id_passes_id_fk FOREIGN KEY (pass_id) REFERENCES passes(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- people_tally ----------------------------------------------------------------------------------------
CREATE TABLE people_tally (
  people integer NOT NULL
);

-- personal_tokens -------------------------------------------------------------------------------------
CREATE TABLE personal_tokens (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  hash bytea NOT NULL,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  made_by uuid,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT personal_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT personal_tokens_hash_unique UNIQUE (hash),
  CONSTRAINT personal_tokens_scopes CHECK (cardinality(scopes) > 0),
  CONSTRAINT personal_tokens_made_by FOREIGN KEY (made_by) REFERENCES personal_tokens(id) ON DELETE CASCADE,
  CONSTRAINT personal_tokens_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX personal_tokens_expiry ON personal_tokens USING btree (expires_at, id) WHERE expires_at IS NOT NULL;
CREATE INDEX personal_tokens_maker ON personal_tokens USING btree (made_by);
CREATE INDEX personal_tokens_user ON personal_tokens USING btree (user_id, created_at, id);

-- portfolio_items -------------------------------------------------------------------------------------
CREATE TABLE portfolio_items (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  title text NOT NULL,
  description text,
  url text,
  image_url text,
  sort_order bigint DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT portfolio_items_pkey PRIMARY KEY (id),
  CONSTRAINT portfolio_items_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX portfolio_items_image_upload ON portfolio_items USING btree (NULLIF("left"(split_part(split_part(image_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text)) WHERE NULLIF("left"(split_part(split_part(image_url, 'v1/uploads/file/'::text, 2), '?'::text, 1), 200), ''::text) IS NOT NULL;
CREATE INDEX portfolio_items_order ON portfolio_items USING btree (user_id, sort_order, id);

-- reactions -------------------------------------------------------------------------------------------
CREATE TABLE reactions (
  fact_id uuid NOT NULL,
  listener text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  last_error text,
  urgency smallint DEFAULT 1 NOT NULL,
  CONSTRAINT reactions_fact_id_listener_pk PRIMARY KEY (fact_id, listener),
  CONSTRAINT reactions_status CHECK (status = ANY (ARRAY['pending'::text, 'done'::text, 'dead'::text])),
  CONSTRAINT reactions_fact_id_outbox_id_fk FOREIGN KEY (fact_id) REFERENCES outbox(id) ON DELETE CASCADE
);
CREATE INDEX reactions_due ON reactions USING btree (urgency, next_attempt_at) WHERE status = 'pending'::text;

-- refusing_mailboxes ----------------------------------------------------------------------------------
CREATE TABLE refusing_mailboxes (
  mailbox bytea NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT refusing_mailboxes_pkey PRIMARY KEY (mailbox)
);
CREATE INDEX refusing_mailboxes_at ON refusing_mailboxes USING btree (at);

-- rsvps -----------------------------------------------------------------------------------------------
CREATE TABLE rsvps (
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  user_id uuid NOT NULL,
  status text NOT NULL,
  rsvp_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  waitlist_number integer,
  changed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  changes integer DEFAULT 0 NOT NULL,
  CONSTRAINT rsvps_pkey PRIMARY KEY (id),
  CONSTRAINT rsvps_once UNIQUE (event_id, user_id),
  CONSTRAINT rsvps_status CHECK (status = ANY (ARRAY['confirmed'::text, 'waitlisted'::text, 'cancelled'::text])),
  CONSTRAINT rsvps_waiting CHECK ((status = 'waitlisted'::text) = (waitlist_number IS NOT NULL)),
  CONSTRAINT rsvps_event_id_events_id_fk FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE,
  CONSTRAINT rsvps_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX rsvps_by_status ON rsvps USING btree (event_id, status, rsvp_at, user_id);
CREATE UNIQUE INDEX rsvps_line ON rsvps USING btree (event_id, waitlist_number) WHERE status = 'waitlisted'::text;
CREATE INDEX rsvps_of_user ON rsvps USING btree (user_id, rsvp_at, id);
CREATE TRIGGER rsvps_changes BEFORE UPDATE ON rsvps FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION count_rsvp_changes();
CREATE TRIGGER rsvps_count_changed AFTER UPDATE ON rsvps REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_confirmed_together();
CREATE TRIGGER rsvps_count_gone AFTER DELETE ON rsvps REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION count_confirmed_together();
CREATE TRIGGER rsvps_count_new AFTER INSERT ON rsvps REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_confirmed_together();

-- score_changes ---------------------------------------------------------------------------------------
CREATE TABLE score_changes (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  change integer NOT NULL,
  xp integer NOT NULL,
  reached_before timestamp(3) with time zone,
  CONSTRAINT score_changes_pkey PRIMARY KEY (id),
  CONSTRAINT score_changes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX score_changes_lately ON score_changes USING btree (at, user_id);
CREATE INDEX score_changes_of_user ON score_changes USING btree (user_id, id);

-- sign_in_errands -------------------------------------------------------------------------------------
CREATE TABLE sign_in_errands (
  id uuid NOT NULL,
  return_to text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT sign_in_errands_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_in_errands_expiry ON sign_in_errands USING btree (expires_at);

-- sign_in_failures ------------------------------------------------------------------------------------
CREATE TABLE sign_in_failures (
  mailbox bytea NOT NULL,
  failures integer NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT sign_in_failures_pkey PRIMARY KEY (mailbox),
  CONSTRAINT sign_in_failures_count CHECK (failures >= 0)
);
CREATE INDEX sign_in_failures_end ON sign_in_failures USING btree (ends_at);

-- sign_in_mails ---------------------------------------------------------------------------------------
CREATE TABLE sign_in_mails (
  id uuid NOT NULL,
  email text NOT NULL,
  token_hash bytea NOT NULL,
  code_hash bytea NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  return_to text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT sign_in_mails_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_mails_token_hash_unique UNIQUE (token_hash),
  CONSTRAINT sign_in_mails_attempts CHECK (attempts >= 0)
);
CREATE INDEX sign_in_mails_address ON sign_in_mails USING btree (email, created_at);
CREATE INDEX sign_in_mails_expiry ON sign_in_mails USING btree (expires_at);

-- uncounted -------------------------------------------------------------------------------------------
CREATE TABLE uncounted (
  user_id uuid NOT NULL,
  CONSTRAINT uncounted_pkey PRIMARY KEY (user_id)
);

-- unfilled_events -------------------------------------------------------------------------------------
CREATE TABLE unfilled_events (
  event_id uuid NOT NULL,
  CONSTRAINT unfilled_events_pkey PRIMARY KEY (event_id),
  CONSTRAINT unfilled_events_event_id_events_id_fk FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
);

-- unsettled_badges ------------------------------------------------------------------------------------
CREATE TABLE unsettled_badges (
  badge_id uuid NOT NULL,
  group_id uuid,
  CONSTRAINT unsettled_badges_pkey PRIMARY KEY (badge_id)
);

-- uploads ---------------------------------------------------------------------------------------------
CREATE TABLE uploads (
  id uuid NOT NULL,
  key text NOT NULL,
  owner_id uuid,
  maker text NOT NULL,
  made_by_token uuid,
  made_by_grant uuid,
  category text NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  declared_size integer NOT NULL,
  state text DEFAULT 'requested'::text NOT NULL,
  incoming uuid,
  file uuid,
  size integer,
  sha256 text,
  width integer,
  height integer,
  sizes jsonb DEFAULT '[]'::jsonb NOT NULL,
  reason text,
  attempts integer DEFAULT 0 NOT NULL,
  next_check_at timestamp(3) with time zone,
  unused_since timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  changed_at timestamp(3) with time zone NOT NULL,
  made_by_session uuid,
  sent_sha256 text,
  CONSTRAINT uploads_pkey PRIMARY KEY (id),
  CONSTRAINT uploads_maker CHECK ((maker = ANY (ARRAY['person'::text, 'token'::text, 'grant'::text, 'session'::text])) AND (made_by_token IS NULL OR maker = 'token'::text) AND (made_by_grant IS NULL OR maker = 'grant'::text) AND (made_by_session IS NULL OR maker = 'session'::text)),
  CONSTRAINT uploads_owned CHECK (owner_id IS NOT NULL OR state = 'removed'::text),
  CONSTRAINT uploads_size CHECK (declared_size > 0 AND declared_size <= 10485760 AND size > 0),
  CONSTRAINT uploads_state CHECK ((state = ANY (ARRAY['requested'::text, 'received'::text, 'ready'::text, 'refused'::text, 'removed'::text])) AND (state <> 'received'::text OR incoming IS NOT NULL AND next_check_at IS NOT NULL) AND (state <> 'ready'::text OR file IS NOT NULL AND size IS NOT NULL AND sha256 IS NOT NULL) AND ((state = ANY (ARRAY['requested'::text, 'received'::text])) OR next_check_at IS NULL) AND (state = 'refused'::text) = (reason IS NOT NULL)),
  CONSTRAINT uploads_made_by_grant FOREIGN KEY (made_by_grant) REFERENCES oauth_grants(id) ON DELETE SET NULL,
  CONSTRAINT uploads_made_by_session FOREIGN KEY (made_by_session) REFERENCES sessions(id) ON DELETE SET NULL,
  CONSTRAINT uploads_made_by_token FOREIGN KEY (made_by_token) REFERENCES personal_tokens(id) ON DELETE SET NULL,
  CONSTRAINT uploads_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX uploads_due ON uploads USING btree (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX uploads_ended ON uploads USING btree (changed_at, id) WHERE state = ANY (ARRAY['refused'::text, 'removed'::text]);
CREATE INDEX uploads_expired ON uploads USING btree (expires_at, id) WHERE state = 'requested'::text;
CREATE UNIQUE INDEX uploads_file ON uploads USING btree (file);
CREATE UNIQUE INDEX uploads_incoming ON uploads USING btree (incoming);
CREATE UNIQUE INDEX uploads_key ON uploads USING btree (key);
CREATE INDEX uploads_of_grant ON uploads USING btree (made_by_grant) WHERE made_by_grant IS NOT NULL;
CREATE INDEX uploads_of_session ON uploads USING btree (made_by_session) WHERE made_by_session IS NOT NULL;
CREATE INDEX uploads_of_token ON uploads USING btree (made_by_token) WHERE made_by_token IS NOT NULL;
CREATE INDEX uploads_owner ON uploads USING btree (owner_id, created_at, id);
CREATE INDEX uploads_unused ON uploads USING btree (unused_since, id) WHERE unused_since IS NOT NULL;

-- webhooks --------------------------------------------------------------------------------------------
CREATE TABLE webhooks (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  url text NOT NULL,
  event_types text[] NOT NULL,
  scopes text[] NOT NULL,
  is_active boolean DEFAULT true NOT NULL,
  secret bytea NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  failing_since timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  old_secrets jsonb DEFAULT '[]'::jsonb NOT NULL,
  maker text DEFAULT 'person'::text NOT NULL,
  made_by_token uuid,
  made_by_grant uuid,
  disabled_reason text,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT webhooks_disabled CHECK (disabled_reason IS NULL OR NOT is_active AND (disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text, 'token_revoked'::text, 'access_ended'::text]))),
  CONSTRAINT webhooks_event_types CHECK (cardinality(event_types) > 0),
  CONSTRAINT webhooks_maker CHECK ((maker = ANY (ARRAY['person'::text, 'token'::text, 'grant'::text])) AND (made_by_token IS NULL OR maker = 'token'::text) AND (made_by_grant IS NULL OR maker = 'grant'::text)),
  CONSTRAINT webhooks_made_by_grant FOREIGN KEY (made_by_grant) REFERENCES oauth_grants(id) ON DELETE SET NULL,
  CONSTRAINT webhooks_made_by_token FOREIGN KEY (made_by_token) REFERENCES personal_tokens(id) ON DELETE SET NULL,
  CONSTRAINT webhooks_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX webhooks_of_grant ON webhooks USING btree (made_by_grant) WHERE made_by_grant IS NOT NULL;
CREATE INDEX webhooks_of_token ON webhooks USING btree (made_by_token) WHERE made_by_token IS NOT NULL;
CREATE INDEX webhooks_owner ON webhooks USING btree (owner_id, created_at, id);
CREATE INDEX webhooks_types ON webhooks USING gin (event_types) WHERE is_active;
CREATE TRIGGER webhooks_end BEFORE UPDATE OF made_by_token, made_by_grant, is_active ON webhooks FOR EACH ROW EXECUTE FUNCTION end_with_maker();

-- webhook_messages ------------------------------------------------------------------------------------
CREATE TABLE webhook_messages (
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  fact_id uuid,
  event_type text NOT NULL,
  body text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp(3) with time zone,
  lease_owner uuid,
  lease_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT webhook_messages_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_messages_next CHECK ((status = 'pending'::text) = (next_attempt_at IS NOT NULL)),
  CONSTRAINT webhook_messages_status CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])),
  CONSTRAINT webhook_messages_webhook_id_webhooks_id_fk FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX webhook_messages_age ON webhook_messages USING btree (created_at);
CREATE INDEX webhook_messages_dead ON webhook_messages USING btree (id) WHERE status = 'failed'::text;
CREATE INDEX webhook_messages_due ON webhook_messages USING btree (webhook_id, next_attempt_at) WHERE status = 'pending'::text;
CREATE INDEX webhook_messages_of_webhook ON webhook_messages USING btree (webhook_id, created_at);
CREATE UNIQUE INDEX webhook_messages_once ON webhook_messages USING btree (fact_id, webhook_id);
CREATE INDEX webhook_messages_words ON webhook_messages USING btree ((body::jsonb #>> '{data,userId}'::text[])) WHERE event_type = ANY (ARRAY['token.created'::text, 'upload.completed'::text, 'upload.deleted'::text]);

-- webhook_attempts ------------------------------------------------------------------------------------
CREATE TABLE webhook_attempts (
  id uuid NOT NULL,
  message_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  attempt integer NOT NULL,
  status_code integer,
  success boolean NOT NULL,
  error text,
  duration_ms integer,
  attempted_at timestamp(3) with time zone NOT NULL,
  next_attempt_at timestamp(3) with time zone,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_attempts_message_id_webhook_messages_id_fk FOREIGN KEY (message_id) REFERENCES webhook_messages(id) ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_message ON webhook_attempts USING btree (message_id);
CREATE INDEX webhook_attempts_of_webhook ON webhook_attempts USING btree (webhook_id, attempted_at, id);

-- webhook_past_rules ----------------------------------------------------------------------------------
CREATE TABLE webhook_past_rules (
  webhook_id uuid NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_types text[] NOT NULL,
  is_active boolean NOT NULL,
  until pg_snapshot DEFAULT pg_current_snapshot() NOT NULL,
  changed_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  CONSTRAINT webhook_past_rules_webhook_id_place_pk PRIMARY KEY (webhook_id, place),
  CONSTRAINT webhook_past_rules_webhook_id_webhooks_id_fk FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);

ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_made_by_grant_oauth_grants_id_fk FOREIGN KEY (made_by_grant) REFERENCES oauth_grants(id) ON DELETE CASCADE;
