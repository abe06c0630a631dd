-- AlterTable
ALTER TABLE "bus"."dead_letters" ADD COLUMN     "replayed_at" TIMESTAMPTZ(3);
