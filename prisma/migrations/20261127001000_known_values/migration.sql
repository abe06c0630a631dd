-- AlterTable
ALTER TABLE "analytics"."day_counts" ADD COLUMN     "rank" SMALLINT NOT NULL DEFAULT 0;
