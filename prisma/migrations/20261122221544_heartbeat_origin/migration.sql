-- AlterTable
ALTER TABLE "attribution"."devices" ADD COLUMN     "last_heartbeat_address" BYTEA,
ADD COLUMN     "last_heartbeat_user_agent" BYTEA;
