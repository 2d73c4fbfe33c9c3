-- The process that answers a request with a key. The previous release writes none, and its claims end with their time.
ALTER TABLE "idempotency_keys" ADD COLUMN "holder" integer;