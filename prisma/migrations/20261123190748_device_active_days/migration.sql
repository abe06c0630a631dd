-- AlterTable
ALTER TABLE "attribution"."devices" ADD COLUMN     "active_heartbeat_id" UUID,
ADD COLUMN     "installed_at" TIMESTAMPTZ(3);
