-- The count follows whole statements: one that seats thousands changes its event once, not once for each of them.
-- Events are changed in one order, so that two statements about the same ones wait instead of meeting head-on, and
-- one by one, so that each is found by its key whatever the size of the first statement that was planned for.
CREATE FUNCTION count_confirmed_together() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
--> statement-breakpoint
DROP TRIGGER rsvps_count ON rsvps;
--> statement-breakpoint
DROP FUNCTION count_confirmed();
--> statement-breakpoint
CREATE TRIGGER rsvps_count_new AFTER INSERT ON rsvps REFERENCING NEW TABLE AS after_rows
FOR EACH STATEMENT EXECUTE FUNCTION count_confirmed_together();
--> statement-breakpoint
CREATE TRIGGER rsvps_count_changed AFTER UPDATE ON rsvps REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
FOR EACH STATEMENT EXECUTE FUNCTION count_confirmed_together();
--> statement-breakpoint
CREATE TRIGGER rsvps_count_gone AFTER DELETE ON rsvps REFERENCING OLD TABLE AS before_rows
FOR EACH STATEMENT EXECUTE FUNCTION count_confirmed_together();
