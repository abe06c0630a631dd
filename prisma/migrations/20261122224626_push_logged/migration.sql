-- AlterTable
ALTER TABLE "push"."notifications" ADD COLUMN     "logged" INTEGER NOT NULL DEFAULT 0;
