-- AlterTable
ALTER TABLE "push"."opens" ADD COLUMN     "platform" TEXT;
