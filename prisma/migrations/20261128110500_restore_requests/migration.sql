-- AlterTable
ALTER TABLE "attribution"."restores" ADD COLUMN     "request_id" TEXT;

-- CreateIndex
CREATE INDEX "restores_by_request" ON "attribution"."restores"("app_id", "request_id") WHERE (request_id is not null);
