-- CreateTable
CREATE TABLE IF NOT EXISTS "account"."shares" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "view" JSON NOT NULL,
    "options" JSON NOT NULL,
    "password_hash" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "shares_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE IF NOT EXISTS "account"."views" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "owner" UUID,
    "name" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX IF NOT EXISTS "shares_hash_key" ON "account"."shares"("hash");

-- CreateIndex
CREATE INDEX IF NOT EXISTS "shares_app_id_created_at_idx" ON "account"."shares"("app_id", "created_at");

-- CreateIndex
CREATE INDEX IF NOT EXISTS "views_app_id_page_name_idx" ON "account"."views"("app_id", "page", "name");

-- AddForeignKey
ALTER TABLE "account"."shares" ADD CONSTRAINT "shares_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."views" ADD CONSTRAINT "views_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
