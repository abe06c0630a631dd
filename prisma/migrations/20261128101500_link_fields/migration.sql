-- AlterTable
ALTER TABLE "link"."links" ADD COLUMN     "android_url" TEXT,
ADD COLUMN     "expired_url" TEXT,
ADD COLUMN     "ios_url" TEXT,
ADD COLUMN     "maker_kind" TEXT,
ADD COLUMN     "maker_user_id" UUID,
ADD COLUMN     "managed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "name" TEXT,
ADD COLUMN     "note" TEXT,
ADD COLUMN     "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "web_url" TEXT;

-- CreateTable
CREATE TABLE "account"."utm_templates" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "utm" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "utm_templates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link"."tags" (
    "app_id" UUID NOT NULL,
    "tag" TEXT NOT NULL,
    "links" INTEGER NOT NULL,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("app_id","tag")
);

-- CreateIndex
CREATE INDEX "utm_templates_app_id_name_idx" ON "account"."utm_templates"("app_id", "name");

-- CreateIndex
CREATE INDEX "links_managed" ON "link"."links"("app_id", "created_at" DESC, "id" DESC) WHERE (managed);

-- AddForeignKey
ALTER TABLE "account"."utm_templates" ADD CONSTRAINT "utm_templates_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Links that people made before: the audit log knows them.
UPDATE "link"."links" l SET managed = true, maker_kind = e.actor_kind, maker_user_id = e.actor_user_id
FROM "link"."edits" e WHERE e.message_id = l.id AND e.before IS NULL AND e.after IS NOT NULL;

-- The index of the search inside links of people. Only the owner of the database, or a superuser, may make extensions.
-- Without them the search reads links one by one, up to a limit for each page.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE INDEX IF NOT EXISTS links_search ON "link"."links" USING gin (
    app_id, maker_user_id, tags, lower(coalesce(name, '') || ' ' || slug || ' ' || destination) gin_trgm_ops
  ) WHERE managed;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'The search inside links has no index: %', SQLERRM;
END $$;
