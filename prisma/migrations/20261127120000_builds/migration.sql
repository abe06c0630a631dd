-- AlterTable
ALTER TABLE "attribution"."pending_links" ADD COLUMN     "builds" BYTEA;

-- Apps that have the default of the last version get the new one.
UPDATE "account"."apps"
SET "settings" = jsonb_set("settings"::jsonb, '{matching,newcomerMinutes}', '25')::json
WHERE "settings" -> 'matching' ->> 'windowMinutes' = '60'
  AND "settings" -> 'matching' ->> 'personMinutes' = '90'
  AND coalesce("settings" -> 'matching' ->> 'newcomerMinutes', '35') = '35';
