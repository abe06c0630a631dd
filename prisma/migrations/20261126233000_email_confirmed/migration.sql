-- AlterTable
ALTER TABLE "account"."users" ADD COLUMN     "email_confirmed_at" TIMESTAMPTZ(3),
ADD COLUMN     "claimable" BOOLEAN NOT NULL DEFAULT false;

-- A provider confirmed the email of a person when it linked its first identity to them.
UPDATE "account"."users" u SET "email_confirmed_at" = i.at
FROM (SELECT user_id, min(created_at) AS at FROM "account"."identities" GROUP BY user_id) i
WHERE i.user_id = u.id;
