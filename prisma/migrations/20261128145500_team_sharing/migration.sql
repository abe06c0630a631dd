-- AlterTable
ALTER TABLE "account"."teams" ADD COLUMN IF NOT EXISTS "sharing" TEXT NOT NULL DEFAULT 'members';
