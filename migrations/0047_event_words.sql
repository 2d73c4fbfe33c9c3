CREATE TABLE "event_words" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
INSERT INTO event_words (event_id, title, words)
  SELECT id, lower(title), to_tsvector('simple', concat_ws(' ', title, description, venue_name, venue_address, venue_city))
  FROM events;--> statement-breakpoint
CREATE INDEX "event_words_search" ON "event_words" USING gin ("words");--> statement-breakpoint
CREATE INDEX "event_words_title" ON "event_words" USING gin ("title" gin_trgm_ops);--> statement-breakpoint
CREATE FUNCTION index_event_words() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;--> statement-breakpoint
-- From here on events are locked against writes: everything that takes long is done above.
LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
DELETE FROM event_words WHERE NOT EXISTS (SELECT FROM events WHERE events.id = event_words.event_id);--> statement-breakpoint
INSERT INTO event_words (event_id, title, words)
  SELECT id, lower(title), to_tsvector('simple', concat_ws(' ', title, description, venue_name, venue_address, venue_city))
  FROM events WHERE updated_at > now() - interval '1 minute' OR NOT EXISTS (SELECT FROM event_words WHERE event_id = events.id)
  ON CONFLICT (event_id) DO UPDATE SET title = excluded.title, words = excluded.words;--> statement-breakpoint
ALTER TABLE "event_words" ADD CONSTRAINT "event_words_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE TRIGGER events_words AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION index_event_words();--> statement-breakpoint
CREATE TRIGGER events_words_changed AFTER UPDATE OF title, description, venue_name, venue_address, venue_city ON events
  FOR EACH ROW WHEN (
    OLD.title IS DISTINCT FROM NEW.title
    OR OLD.description IS DISTINCT FROM NEW.description
    OR OLD.venue_name IS DISTINCT FROM NEW.venue_name
    OR OLD.venue_address IS DISTINCT FROM NEW.venue_address
    OR OLD.venue_city IS DISTINCT FROM NEW.venue_city
  ) EXECUTE FUNCTION index_event_words();
