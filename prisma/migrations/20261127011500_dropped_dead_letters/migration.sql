-- AlterTable
ALTER TABLE "bus"."dead_letters" ADD COLUMN     "dropped_at" TIMESTAMPTZ(3);
