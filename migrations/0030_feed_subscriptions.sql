CREATE TABLE "feed_subscription_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"key" "bytea" NOT NULL,
	"asker" "bytea" NOT NULL,
	"topic" text NOT NULL,
	"feed_token_id" uuid,
	"user_id" uuid,
	"group_id" uuid,
	"callback" text NOT NULL,
	"callback_host" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"lease_seconds" integer NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_owner" uuid,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_subscription_requests_once" UNIQUE("key","asker"),
	CONSTRAINT "feed_subscription_requests_mode" CHECK ("feed_subscription_requests"."mode" in ('subscribe', 'unsubscribe'))
);
--> statement-breakpoint
CREATE TABLE "feed_subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" "bytea" NOT NULL,
	"topic" text NOT NULL,
	"feed_token_id" uuid,
	"user_id" uuid,
	"group_id" uuid,
	"callback" text NOT NULL,
	"callback_host" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"etag" text,
	"pushed_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"changes" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"lease_owner" uuid,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_subscriptions_once" UNIQUE("key"),
	CONSTRAINT "feed_subscriptions_person" CHECK (("feed_subscriptions"."feed_token_id" is null) = ("feed_subscriptions"."user_id" is null))
);
--> statement-breakpoint
ALTER TABLE "feed_subscription_requests" ADD CONSTRAINT "feed_subscription_requests_feed_token_id_feed_tokens_id_fk" FOREIGN KEY ("feed_token_id") REFERENCES "public"."feed_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_subscriptions" ADD CONSTRAINT "feed_subscriptions_feed_token_id_feed_tokens_id_fk" FOREIGN KEY ("feed_token_id") REFERENCES "public"."feed_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_subscription_requests_due" ON "feed_subscription_requests" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "feed_subscription_requests_host" ON "feed_subscription_requests" USING btree ("callback_host","asker");--> statement-breakpoint
CREATE INDEX "feed_subscription_requests_token" ON "feed_subscription_requests" USING btree ("feed_token_id");--> statement-breakpoint
CREATE INDEX "feed_subscription_requests_age" ON "feed_subscription_requests" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "feed_subscriptions_due" ON "feed_subscriptions" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "feed_subscriptions_group" ON "feed_subscriptions" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "feed_subscriptions_user" ON "feed_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "feed_subscriptions_token" ON "feed_subscriptions" USING btree ("feed_token_id");--> statement-breakpoint
CREATE INDEX "feed_subscriptions_host" ON "feed_subscriptions" USING btree ("callback_host");--> statement-breakpoint
CREATE INDEX "feed_subscriptions_age" ON "feed_subscriptions" USING btree ("expires_at","id");