-- Somebody whom a hundred thousand follow comes into sight, leaves it or goes in one short change; those around them
-- count it afterwards, in portions. Each follow says what is counted already, so a portion can be done twice.
CREATE TABLE "uncounted" (
	"user_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "follows" DROP CONSTRAINT "follows_follower_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "follows" DROP CONSTRAINT "follows_followee_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "follows" ADD COLUMN "follower_counts" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "follows" ADD COLUMN "followee_counts" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
UPDATE follows SET follower_counts = follower.is_public, followee_counts = followee.is_public
FROM users follower, users followee
WHERE follower.id = follower_id AND followee.id = followee_id AND NOT (follower.is_public AND followee.is_public);
--> statement-breakpoint
-- Both are there and stay as they stand while the follow is made. The release before this one makes follows too.
CREATE FUNCTION complete_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	SELECT is_public INTO NEW.follower_counts FROM users WHERE id = NEW.follower_id FOR NO KEY UPDATE;
	IF FOUND THEN SELECT is_public INTO NEW.followee_counts FROM users WHERE id = NEW.followee_id FOR NO KEY UPDATE; END IF;
	IF NOT FOUND THEN
		RAISE EXCEPTION 'one of the two is gone'
			USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'follows_gone';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER follows_complete BEFORE INSERT ON follows FOR EACH ROW EXECUTE FUNCTION complete_follow();
