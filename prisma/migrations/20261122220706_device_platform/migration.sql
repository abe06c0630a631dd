-- AlterTable
ALTER TABLE "attribution"."devices" ADD COLUMN     "platform" TEXT;
