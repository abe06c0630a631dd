-- AlterTable
ALTER TABLE "push"."devices" ADD COLUMN     "email_before" BYTEA,
ADD COLUMN     "email_since" TIMESTAMPTZ(3),
ADD COLUMN     "language" TEXT;

-- AlterTable
ALTER TABLE "push"."notifications" ADD COLUMN     "stopped_at" TIMESTAMPTZ(3),
ADD COLUMN     "stopping" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- CreateIndex
CREATE INDEX "deliveries_not_sent" ON "push"."deliveries"("notification_id", "state", "device_id") WHERE (state = ANY (ARRAY['failed'::text, 'unknown'::text]));

-- CreateIndex
CREATE INDEX "devices_dropped_of_person" ON "push"."devices"("app_id", "email", "id") WHERE (dropped_at is not null and email is not null);

-- CreateIndex
CREATE INDEX "devices_left_by_person" ON "push"."devices"("app_id", "email_before", "id") WHERE (email_before is not null);

-- CreateIndex
CREATE INDEX "notifications_stopping" ON "push"."notifications"("stopped_at") WHERE (stopping);
