-- AlterTable
ALTER TABLE "account"."keys" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'mobile',
ADD COLUMN     "replaced_by" UUID;

-- CreateTable
CREATE TABLE "account"."key_uses" (
    "key_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "key_uses_pkey" PRIMARY KEY ("key_id","hour")
);

-- CreateTable
CREATE TABLE "account"."counted_uses" (
    "message_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "counted_uses_pkey" PRIMARY KEY ("message_id")
);

-- CreateIndex
CREATE INDEX "key_uses_hour_idx" ON "account"."key_uses" USING BRIN ("hour");

-- CreateIndex
CREATE INDEX "counted_uses_at_idx" ON "account"."counted_uses" USING BRIN ("at");
