-- AlterTable
ALTER TABLE "attribution"."devices" ADD COLUMN     "last_heartbeat_from" BYTEA;
