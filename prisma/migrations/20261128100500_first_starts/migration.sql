-- AlterTable
ALTER TABLE "attribution"."restores" ADD COLUMN     "client" TEXT,
ADD COLUMN     "code" TEXT,
ADD COLUMN     "email" BYTEA,
ADD COLUMN     "key_id" UUID,
ADD COLUMN     "link_ids" UUID[],
ADD COLUMN     "platform" TEXT,
ADD COLUMN     "sent" JSON;

-- CreateIndex
CREATE INDEX "pending_links_taps" ON "attribution"."pending_links"("app_id", "tapped_at" DESC) WHERE (kind = 'tap');

-- CreateIndex
CREATE INDEX "restores_decided" ON "attribution"."restores"("app_id", "at" DESC, "message_id" DESC) WHERE (code is null or code <> 'untapped');

-- CreateIndex
CREATE INDEX "restores_by_device" ON "attribution"."restores"("app_id", "device", "at" DESC) WHERE (device is not null);

-- CreateIndex
CREATE INDEX "restores_by_user" ON "attribution"."restores"("app_id", "email", "at" DESC) WHERE (email is not null);

-- CreateIndex
CREATE INDEX "restores_by_link" ON "attribution"."restores" USING GIN ("link_ids") WHERE (link_ids is not null);
