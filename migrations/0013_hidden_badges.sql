-- Scores are shown to everyone, so a hidden badge is in none of them. Its awards stay, and say that it is hidden.
ALTER TABLE "badge_awards" ADD COLUMN "hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "badges" ADD CONSTRAINT "badges_hidden" CHECK (not "badges"."hidden" or "badges"."group_id" is null);
--> statement-breakpoint
ALTER TYPE award_change ADD ATTRIBUTE counted integer;
--> statement-breakpoint
-- What an award copies from its badge and its holder, read while neither can change. The group comes first: the score
-- in it needs the group later, and whoever deletes a group has locked it before its badges.
CREATE OR REPLACE FUNCTION complete_award() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
--> statement-breakpoint
-- Locks come in one order everywhere: the group, the badge, its holders, the awards. Awards that follow their badge
-- already, or are gone already, cost nothing more: a change may have been made ahead, in portions.
CREATE OR REPLACE FUNCTION lock_holders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN
		PERFORM 1 FROM users WHERE id IN (SELECT user_id FROM badge_awards WHERE badge_id = OLD.id)
			ORDER BY id FOR NO KEY UPDATE;
		RETURN OLD;
	END IF;
	PERFORM 1 FROM users WHERE id IN (
			SELECT user_id FROM badge_awards WHERE badge_id = NEW.id AND (points, hidden) <> (NEW.points, NEW.hidden))
		ORDER BY id FOR NO KEY UPDATE;
	UPDATE badge_awards SET points = NEW.points, hidden = NEW.hidden
	WHERE badge_id = NEW.id AND (points, hidden) <> (NEW.points, NEW.hidden);
	RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER badges_points_change ON badges;
--> statement-breakpoint
CREATE TRIGGER badges_worth_change AFTER UPDATE OF points, hidden ON badges FOR EACH ROW
WHEN ((OLD.points, OLD.hidden) <> (NEW.points, NEW.hidden)) EXECUTE FUNCTION lock_holders();
--> statement-breakpoint
-- Scores and counts of holders are the awards, added up. Each award that is given counts at its own moment.
CREATE OR REPLACE FUNCTION keep_score() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
--> statement-breakpoint
-- The changes pass through an array: a plan that joined the rows of one award would be kept for those of a hundred
-- thousand, and the other way round. `awards` is about holders, `counted` and `gained` about scores.
CREATE OR REPLACE FUNCTION keep_scores() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
--> statement-breakpoint
-- Takes what is hidden already out of the scores, and out of their history: the holders' as if they had never had it,
-- and with it the boards of past days, which a worker draws anew.
DO $$
DECLARE
	concerned uuid[];
	changed uuid[];
BEGIN
	PERFORM 1 FROM badges WHERE hidden ORDER BY id FOR NO KEY UPDATE;
	SELECT array_agg(DISTINCT user_id), array_agg(DISTINCT user_id) FILTER (WHERE points <> 0) INTO concerned, changed
	FROM badge_awards WHERE badge_id IN (SELECT id FROM badges WHERE hidden);
	IF concerned IS NULL THEN RETURN; END IF;
	PERFORM 1 FROM users WHERE id = ANY (concerned) ORDER BY id FOR NO KEY UPDATE;
	UPDATE badge_awards SET hidden = true WHERE badge_id IN (SELECT id FROM badges WHERE hidden);
	IF changed IS NULL THEN RETURN; END IF;
	UPDATE users SET xp_reached_at = (
		SELECT max(awarded_at) FROM badge_awards
		WHERE user_id = users.id AND group_id IS NULL AND NOT hidden AND points <> 0)
	WHERE id = ANY (changed);
	DELETE FROM score_changes WHERE user_id = ANY (changed);
	INSERT INTO score_changes (user_id, at, change, xp, reached_before)
	SELECT user_id, awarded_at, points, sum(points) OVER earlier, lag(awarded_at) OVER earlier
	FROM badge_awards WHERE user_id = ANY (changed) AND group_id IS NULL AND NOT hidden AND points <> 0
	WINDOW earlier AS (PARTITION BY user_id ORDER BY awarded_at, id ROWS UNBOUNDED PRECEDING)
	ORDER BY awarded_at, id;
	TRUNCATE board_days, board_snapshots;
END $$;
