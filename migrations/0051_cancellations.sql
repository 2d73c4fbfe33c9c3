ALTER TABLE "mails" DROP CONSTRAINT "mails_urgency";--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_urgency" CHECK ("mails"."urgency" between -4 and 2);