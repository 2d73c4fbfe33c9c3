-- A badge may have a hundred thousand holders: what changes for all of them is added up in a few statements.

-- The triggers that keep scores count where their owners stand; this counts who comes and goes for another reason.
DROP TRIGGER users_moves ON users;
--> statement-breakpoint
CREATE TRIGGER users_moves AFTER UPDATE ON users FOR EACH ROW
WHEN (OLD.is_public <> NEW.is_public OR (
	(OLD.on_board <> NEW.on_board OR (OLD.xp <> NEW.xp AND NEW.on_board))
	AND (OLD.xp = NEW.xp OR pg_trigger_depth() = 0)))
EXECUTE FUNCTION count_moves();
--> statement-breakpoint
-- Locks come in one order everywhere: the group, the badge, its holders, the awards. Awards that have the points
-- already, or are gone already, cost nothing more: a change may have been made ahead, in portions.
CREATE OR REPLACE FUNCTION lock_holders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN
		PERFORM 1 FROM users WHERE id IN (SELECT user_id FROM badge_awards WHERE badge_id = OLD.id)
			ORDER BY id FOR NO KEY UPDATE;
		RETURN OLD;
	END IF;
	PERFORM 1 FROM users
		WHERE id IN (SELECT user_id FROM badge_awards WHERE badge_id = NEW.id AND points <> NEW.points)
		ORDER BY id FOR NO KEY UPDATE;
	UPDATE badge_awards SET points = NEW.points WHERE badge_id = NEW.id AND points <> NEW.points;
	RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER badge_awards_score ON badge_awards;
--> statement-breakpoint
-- Scores and counts of holders are the awards, added up. Each award that is given counts at its own moment.
CREATE OR REPLACE FUNCTION keep_score() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	moved record;
BEGIN
	INSERT INTO badge_tally (badge_id, holders, public_holders) VALUES (NEW.badge_id, 1, NEW.is_public::integer);
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
CREATE TRIGGER badge_awards_score AFTER INSERT ON badge_awards FOR EACH ROW EXECUTE FUNCTION keep_score();
--> statement-breakpoint
CREATE TYPE award_change AS (
	badge_id uuid, user_id uuid, group_id uuid, awards integer, seen integer, gained integer
);
--> statement-breakpoint
-- The changes pass through an array: a plan that joined the rows of one award would be kept for those of a hundred
-- thousand, and the other way round.
CREATE FUNCTION keep_scores() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changes award_change[];
BEGIN
	IF TG_OP = 'DELETE' THEN
		SELECT array_agg((badge_id, user_id, group_id, -1, -is_public::integer, -points)::award_change)
		INTO changes FROM before;
	ELSE
		SELECT array_agg((badge_id, user_id, group_id, 0, seen, gained)::award_change) INTO changes FROM (
			SELECT badge_id, user_id, group_id, sum(seen) AS seen, sum(gained) AS gained FROM (
				SELECT badge_id, user_id, group_id, -is_public::integer AS seen, -points AS gained FROM before
				UNION ALL SELECT badge_id, user_id, group_id, is_public::integer, points FROM after
			) steps GROUP BY badge_id, user_id, group_id
		) sums WHERE seen <> 0 OR gained <> 0;
	END IF;
	IF changes IS NULL THEN RETURN NULL; END IF;
	INSERT INTO badge_tally (badge_id, holders, public_holders)
	SELECT badge_id, sum(awards), sum(seen) FROM unnest(changes)
	GROUP BY badge_id HAVING sum(awards) <> 0 OR sum(seen) <> 0;
	IF EXISTS (SELECT 1 FROM unnest(changes) WHERE group_id IS NULL AND (awards <> 0 OR gained <> 0)) THEN
		WITH sums AS (
			SELECT user_id, sum(awards) AS awards, sum(gained) AS gained FROM unnest(changes)
			WHERE group_id IS NULL GROUP BY user_id
		), moved AS (
			UPDATE users SET xp = xp + sums.gained, badge_count = badge_count + sums.awards,
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
	IF EXISTS (SELECT 1 FROM unnest(changes) WHERE group_id IS NOT NULL AND (awards <> 0 OR gained <> 0)) THEN
		UPDATE group_scores s SET xp = s.xp + sums.gained, badge_count = s.badge_count + sums.awards,
			reached_at = CASE WHEN sums.gained <> 0 THEN now() ELSE s.reached_at END
		FROM (
			SELECT group_id, user_id, sum(awards) AS awards, sum(gained) AS gained FROM unnest(changes)
			GROUP BY group_id, user_id
		) sums WHERE s.group_id = sums.group_id AND s.user_id = sums.user_id;
		DELETE FROM group_scores s USING unnest(changes) c
		WHERE s.group_id = c.group_id AND s.user_id = c.user_id AND s.badge_count = 0;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER badge_awards_changed AFTER UPDATE ON badge_awards
REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION keep_scores();
--> statement-breakpoint
CREATE TRIGGER badge_awards_taken AFTER DELETE ON badge_awards
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION keep_scores();
