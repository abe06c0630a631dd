-- AlterTable
ALTER TABLE "attribution"."pending_links" ADD COLUMN     "sealed_url" TEXT;
