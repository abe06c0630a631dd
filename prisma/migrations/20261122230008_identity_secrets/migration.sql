-- AlterTable
ALTER TABLE "account"."apps" ADD COLUMN     "identity_secrets" JSON;
