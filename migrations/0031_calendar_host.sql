CREATE TABLE "calendar_host" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"host" text NOT NULL,
	CONSTRAINT "calendar_host_only" CHECK ("calendar_host"."only")
);
