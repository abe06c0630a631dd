-- AlterTable
ALTER TABLE "attribution"."devices" ADD COLUMN     "away_days" INTEGER,
ADD COLUMN     "returned_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "attribution"."restores" ADD COLUMN     "facts" JSON;

-- Only closed taps are in this index. While it is built, taps wait to be stored. With many millions of taps, build it
-- before, under the same name and with CREATE INDEX CONCURRENTLY; then nothing is left to do here.

-- CreateIndex
CREATE INDEX IF NOT EXISTS "pending_links_closed_address" ON "attribution"."pending_links"("app_id", "address", "tapped_at" DESC) WHERE (closed_by is not null and address is not null and email is null and fingerprint is null);
