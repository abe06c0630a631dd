-- CreateTable
CREATE TABLE "account"."client_calls" (
    "app_id" UUID NOT NULL,
    "platform" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "call" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "restore" JSON,

    CONSTRAINT "client_calls_pkey" PRIMARY KEY ("app_id","platform","client","call")
);

-- AlterTable
ALTER TABLE "attribution"."devices" ADD COLUMN     "last_restore_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_restore_id" UUID;
