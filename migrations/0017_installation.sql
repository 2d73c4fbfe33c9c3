CREATE TABLE "installation" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"use" text NOT NULL,
	CONSTRAINT "installation_only" CHECK ("installation"."only"),
	CONSTRAINT "installation_use" CHECK ("installation"."use" in ('demo', 'production'))
);
