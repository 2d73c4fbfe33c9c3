-- The first text of this migration gave awards without locking the group first, against the order of everyone else.
CREATE OR REPLACE FUNCTION complete_award() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM groups WHERE id = (SELECT group_id FROM badges WHERE id = NEW.badge_id) FOR KEY SHARE;
	SELECT group_id, points INTO NEW.group_id, NEW.points FROM badges WHERE id = NEW.badge_id FOR SHARE;
	IF FOUND THEN SELECT is_public INTO NEW.is_public FROM users WHERE id = NEW.user_id FOR NO KEY UPDATE; END IF;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'badge or holder is gone'
			USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'badge_awards_gone';
	END IF;
	RETURN NEW;
END $$;
