-- AlterTable
ALTER TABLE "attribution"."contacts" ADD COLUMN     "model" BYTEA,
ADD COLUMN     "platform" TEXT;

-- AlterTable
ALTER TABLE "attribution"."pending_links" ADD COLUMN     "language" TEXT,
ADD COLUMN     "model" BYTEA,
ADD COLUMN     "os_major" SMALLINT,
ADD COLUMN     "people_alike" INTEGER,
ADD COLUMN     "people_of_platform" INTEGER;
