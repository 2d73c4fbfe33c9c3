-- A place in a list may be any whole number that JSON carries exactly. The tables are written anew, which takes about a
-- second for a million rows; the previous release reads the wider column as it read the narrow one.
ALTER TABLE "achievements" ALTER COLUMN "sort_order" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "badges" ALTER COLUMN "sort_order" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "portfolio_items" ALTER COLUMN "sort_order" SET DATA TYPE bigint;