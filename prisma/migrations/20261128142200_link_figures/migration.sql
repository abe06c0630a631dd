-- AlterTable
ALTER TABLE "analytics"."facts" ADD COLUMN     "target" TEXT;

-- CreateIndex
CREATE INDEX "installs_link" ON "analytics"."installs"("app_id", "link_id", "installed_at" DESC, "device" DESC) WHERE (link_id is not null);
