-- AlterTable
ALTER TABLE "account"."users" ADD COLUMN     "reset_code_hash" BYTEA,
ADD COLUMN     "reset_expires_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "users_reset_code_hash_key" ON "account"."users"("reset_code_hash");
