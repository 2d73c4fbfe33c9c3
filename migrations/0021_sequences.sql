CREATE TABLE "object_sequences" (
	"object" bigint PRIMARY KEY NOT NULL,
	"last" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "sequence" bigint;