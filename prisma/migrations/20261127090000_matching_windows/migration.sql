-- Apps that never changed the two windows of matching by address get the new defaults. Three more checks come with them.
UPDATE "account"."apps"
SET "settings" = jsonb_set(jsonb_set("settings"::jsonb, '{matching,windowMinutes}', '60'), '{matching,personMinutes}', '90')::json
WHERE "settings" -> 'matching' ->> 'windowMinutes' = '30' AND "settings" -> 'matching' ->> 'personMinutes' = '60';
