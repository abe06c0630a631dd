-- AlterTable
ALTER TABLE "account"."apps" ADD COLUMN     "team_id" UUID;

-- AlterTable
ALTER TABLE "account"."tokens" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "hint" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "revoked_at" TIMESTAMPTZ(3),
ADD COLUMN     "scope" TEXT NOT NULL DEFAULT 'write',
ADD COLUMN     "team_id" UUID,
ADD COLUMN     "user_id" UUID;

-- CreateTable
CREATE TABLE "account"."users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "instance_owner" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."sign_in_failures" (
    "email_hash" BYTEA NOT NULL,
    "place" BYTEA NOT NULL,
    "failures" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "messages" UUID[],

    CONSTRAINT "sign_in_failures_pkey" PRIMARY KEY ("email_hash","place")
);

-- CreateTable
CREATE TABLE "account"."known_places" (
    "user_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_places_pkey" PRIMARY KEY ("user_id","hash")
);

-- CreateTable
CREATE TABLE "account"."set_up_codes" (
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "set_up_codes_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "account"."teams" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."members" (
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "members_pkey" PRIMARY KEY ("team_id","user_id")
);

-- CreateTable
CREATE TABLE "account"."invitations" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "invited_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "accepted_by" UUID,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."audit" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_user_id" UUID,
    "token_id" UUID,
    "address" BYTEA,
    "action" TEXT NOT NULL,
    "team_id" UUID,
    "app_id" UUID,
    "subject" UUID NOT NULL,
    "before" JSON,
    "after" JSON,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "account"."users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_hash_key" ON "account"."sessions"("hash");

-- CreateIndex
CREATE INDEX "sessions_user_id_last_seen_at_idx" ON "account"."sessions"("user_id", "last_seen_at");

-- CreateIndex
CREATE INDEX "sign_in_failures_last_at_idx" ON "account"."sign_in_failures" USING BRIN ("last_at");

-- CreateIndex
CREATE INDEX "known_places_seen_at_idx" ON "account"."known_places" USING BRIN ("seen_at");

-- CreateIndex
CREATE INDEX "teams_created_at_id_idx" ON "account"."teams"("created_at", "id");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "account"."members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_code_hash_key" ON "account"."invitations"("code_hash");

-- CreateIndex
CREATE INDEX "invitations_team_id_created_at_idx" ON "account"."invitations"("team_id", "created_at");

-- CreateIndex
CREATE INDEX "audit_team_id_at_id_idx" ON "account"."audit"("team_id", "at", "id");

-- CreateIndex
CREATE INDEX "apps_team_id_created_at_id_idx" ON "account"."apps"("team_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "tokens_user_id_created_at_idx" ON "account"."tokens"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "tokens_team_id_created_at_idx" ON "account"."tokens"("team_id", "created_at");

-- AddForeignKey
ALTER TABLE "account"."sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "account"."users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."members" ADD CONSTRAINT "members_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "account"."teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "account"."users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."invitations" ADD CONSTRAINT "invitations_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "account"."teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
