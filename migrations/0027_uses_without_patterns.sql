DROP INDEX "events_photo_upload";--> statement-breakpoint
DROP INDEX "groups_photo_upload";--> statement-breakpoint
DROP INDEX "groups_hero_upload";--> statement-breakpoint
DROP INDEX "oauth_clients_logo_upload";--> statement-breakpoint
DROP INDEX "portfolio_items_image_upload";--> statement-breakpoint
DROP INDEX "users_avatar_upload";--> statement-breakpoint
DROP INDEX "users_hero_upload";--> statement-breakpoint
CREATE INDEX "events_photo_upload" ON "events" USING btree (nullif(left(split_part(split_part("photo_url", 'v1/uploads/file/', 2), '?', 1), 200), '')) WHERE nullif(left(split_part(split_part("events"."photo_url", 'v1/uploads/file/', 2), '?', 1), 200), '') is not null;--> statement-breakpoint
CREATE INDEX "groups_photo_upload" ON "groups" USING btree (nullif(left(split_part(split_part("photo_url", 'v1/uploads/file/', 2), '?', 1), 200), '')) WHERE nullif(left(split_part(split_part("groups"."photo_url", 'v1/uploads/file/', 2), '?', 1), 200), '') is not null;--> statement-breakpoint
CREATE INDEX "groups_hero_upload" ON "groups" USING btree (nullif(left(split_part(split_part("hero_image_url", 'v1/uploads/file/', 2), '?', 1), 200), '')) WHERE nullif(left(split_part(split_part("groups"."hero_image_url", 'v1/uploads/file/', 2), '?', 1), 200), '') is not null;--> statement-breakpoint
CREATE INDEX "oauth_clients_logo_upload" ON "oauth_clients" USING btree (nullif(left(split_part(split_part("logo_uri", 'v1/uploads/file/', 2), '?', 1), 200), '')) WHERE nullif(left(split_part(split_part("oauth_clients"."logo_uri", 'v1/uploads/file/', 2), '?', 1), 200), '') is not null;--> statement-breakpoint
CREATE INDEX "portfolio_items_image_upload" ON "portfolio_items" USING btree (nullif(left(split_part(split_part("image_url", 'v1/uploads/file/', 2), '?', 1), 200), '')) WHERE nullif(left(split_part(split_part("portfolio_items"."image_url", 'v1/uploads/file/', 2), '?', 1), 200), '') is not null;--> statement-breakpoint
CREATE INDEX "users_avatar_upload" ON "users" USING btree (nullif(left(split_part(split_part("avatar_url", 'v1/uploads/file/', 2), '?', 1), 200), '')) WHERE nullif(left(split_part(split_part("users"."avatar_url", 'v1/uploads/file/', 2), '?', 1), 200), '') is not null;--> statement-breakpoint
CREATE INDEX "users_hero_upload" ON "users" USING btree (nullif(left(split_part(split_part("hero_image_url", 'v1/uploads/file/', 2), '?', 1), 200), '')) WHERE nullif(left(split_part(split_part("users"."hero_image_url", 'v1/uploads/file/', 2), '?', 1), 200), '') is not null;