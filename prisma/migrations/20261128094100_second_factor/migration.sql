-- AlterTable
ALTER TABLE "account"."sessions" ADD COLUMN     "by_provider" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "account"."teams" ADD COLUMN     "needs_second_factor" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "account"."invitations" ADD COLUMN     "mailed" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "account"."authenticator_apps" (
    "user_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "last_step" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "authenticator_apps_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "account"."passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "credential" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."recovery_codes" (
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id","hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_credential_key" ON "account"."passkeys"("credential");

-- CreateIndex
CREATE INDEX "passkeys_user_id_idx" ON "account"."passkeys"("user_id");

-- AddForeignKey
ALTER TABLE "account"."authenticator_apps" ADD CONSTRAINT "authenticator_apps_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "account"."users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "account"."users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "account"."users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Sessions of a provider that are open now.
UPDATE "account"."sessions" s SET "by_provider" = true
FROM "account"."audit" a
WHERE a."action" = 'SignInByProvider' AND a."subject" = s."id" AND s."ended_at" IS NULL;
