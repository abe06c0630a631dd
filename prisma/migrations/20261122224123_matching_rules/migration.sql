-- AlterTable
ALTER TABLE "attribution"."restores" ADD COLUMN     "address" BYTEA,
ADD COLUMN     "device" BYTEA;

-- CreateTable
CREATE TABLE "attribution"."links" (
    "link_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "archived_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "links_pkey" PRIMARY KEY ("link_id")
);

-- CreateTable
-- Not logged: it is written for each opening, and only what is on its way to be stored needs it.
CREATE UNLOGGED TABLE "attribution"."openings" (
    "app_id" UUID NOT NULL,
    "address" BYTEA NOT NULL,
    "link_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,

    CONSTRAINT "openings_pkey" PRIMARY KEY ("app_id","address","link_id","at")
);

-- CreateIndex
CREATE INDEX "openings_at_idx" ON "attribution"."openings" USING BRIN ("at");

-- CreateIndex
CREATE INDEX "restores_of_device" ON "attribution"."restores"("app_id", "device", "at" DESC) WHERE (device is not null and match_type is not null and repeats is null);

-- What was archived or given an end before attribution followed edits.
INSERT INTO "attribution"."links" ("link_id", "version", "archived_at", "expires_at")
SELECT "id", "version", "archived_at", "expires_at" FROM "link"."links"
WHERE "archived_at" IS NOT NULL OR "expires_at" IS NOT NULL;
