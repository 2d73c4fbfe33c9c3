CREATE TABLE "mail_items" (
	"user_id" uuid NOT NULL,
	"letter" text NOT NULL,
	"item" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"mail_id" uuid,
	CONSTRAINT "mail_items_user_id_letter_item_pk" PRIMARY KEY("user_id","letter","item")
);
--> statement-breakpoint
ALTER TABLE "mail_items" ADD CONSTRAINT "mail_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_items_at" ON "mail_items" USING btree ("at","user_id","letter","item");--> statement-breakpoint
CREATE INDEX "mail_switches_on" ON "mail_switches" USING btree ("kind","user_id") WHERE is_on;--> statement-breakpoint
CREATE UNIQUE INDEX "mails_gathering" ON "mails" USING btree ("user_id","letter") WHERE topic = 'gathered' and attempts = 0 and finished_at is null;