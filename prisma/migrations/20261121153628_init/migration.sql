-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "account";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "attribution";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "bus";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "link";

-- CreateTable
CREATE TABLE "account"."apps" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "subdomain" TEXT NOT NULL,
    "settings" JSON NOT NULL,
    "plan" TEXT NOT NULL,
    "links_per_month" INTEGER,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."hosts" (
    "host" TEXT NOT NULL,
    "app_id" UUID NOT NULL,
    "released_at" TIMESTAMPTZ(3),

    CONSTRAINT "hosts_pkey" PRIMARY KEY ("host")
);

-- CreateTable
CREATE TABLE "account"."keys" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "label" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."tokens" (
    "hash" BYTEA NOT NULL,
    "id" UUID NOT NULL,
    "label" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "account"."changes" (
    "message_id" UUID NOT NULL,
    "subject" UUID NOT NULL,
    "command" TEXT NOT NULL,
    "reply" JSON NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("message_id")
);

-- CreateTable
CREATE TABLE "attribution"."pending_links" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "link_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "original_url" TEXT,
    "tapped_at" TIMESTAMPTZ(3) NOT NULL,
    "platform" TEXT,
    "address" BYTEA,
    "user_agent" BYTEA,
    "email" BYTEA,
    "fingerprint" BYTEA,
    "people" INTEGER NOT NULL,
    "closed_by" UUID,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "pending_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attribution"."devices" (
    "app_id" UUID NOT NULL,
    "device" BYTEA NOT NULL,
    "first_seen" TIMESTAMPTZ(3) NOT NULL,
    "new_since" TIMESTAMPTZ(3) NOT NULL,
    "last_seen" TIMESTAMPTZ(3) NOT NULL,
    "first_heartbeat_id" UUID,
    "last_heartbeat_id" UUID,
    "last_heartbeat_at" TIMESTAMPTZ(3),
    "shared_at" TIMESTAMPTZ(3),

    CONSTRAINT "devices_pkey" PRIMARY KEY ("app_id","device")
);

-- CreateTable
CREATE TABLE "attribution"."contacts" (
    "app_id" UUID NOT NULL,
    "address" BYTEA NOT NULL,
    "device" BYTEA NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "last_heartbeat_at" TIMESTAMPTZ(3),

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("app_id","address","device")
);

-- CreateTable
CREATE TABLE "attribution"."restores" (
    "message_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "claimant" BYTEA,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "match_type" TEXT,
    "pending_ids" UUID[],
    "summary" TEXT NOT NULL,
    "considered" JSON NOT NULL,
    "reply" JSON NOT NULL,
    "repeats" UUID,
    "released_at" TIMESTAMPTZ(3),

    CONSTRAINT "restores_pkey" PRIMARY KEY ("message_id")
);

-- CreateTable
CREATE TABLE "bus"."dead_letters" (
    "id" UUID NOT NULL,
    "consumer_group" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "reason" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "message_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dead_letters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link"."links" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "destination" TEXT NOT NULL,
    "metadata" JSON NOT NULL,
    "input_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "archived_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL,

    CONSTRAINT "links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link"."usage" (
    "app_id" UUID NOT NULL,
    "month" TEXT NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "usage_pkey" PRIMARY KEY ("app_id","month")
);

-- CreateTable
CREATE TABLE "link"."edits" (
    "message_id" UUID NOT NULL,
    "link_id" UUID NOT NULL,
    "reply" JSON NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "edits_pkey" PRIMARY KEY ("message_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "apps_subdomain_key" ON "account"."apps"("subdomain");

-- CreateIndex
CREATE INDEX "apps_created_at_id_idx" ON "account"."apps"("created_at", "id");

-- CreateIndex
CREATE INDEX "hosts_app_id_idx" ON "account"."hosts"("app_id");

-- CreateIndex
CREATE UNIQUE INDEX "keys_hash_key" ON "account"."keys"("hash");

-- CreateIndex
CREATE INDEX "keys_app_id_created_at_idx" ON "account"."keys"("app_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "tokens_id_key" ON "account"."tokens"("id");

-- CreateIndex
CREATE INDEX "changes_subject_at_idx" ON "account"."changes"("subject", "at");

-- CreateIndex
CREATE INDEX "pending_links_open_email" ON "attribution"."pending_links"("app_id", "email", "tapped_at" DESC) WHERE (closed_by is null and email is not null);

-- CreateIndex
CREATE INDEX "pending_links_open_fingerprint" ON "attribution"."pending_links"("app_id", "fingerprint", "tapped_at" DESC) WHERE (closed_by is null and fingerprint is not null);

-- CreateIndex
CREATE INDEX "pending_links_open_address" ON "attribution"."pending_links"("app_id", "address", "tapped_at" DESC) WHERE (closed_by is null and address is not null and email is null and fingerprint is null);

-- CreateIndex
CREATE INDEX "pending_links_closed_by" ON "attribution"."pending_links"("closed_by") WHERE (closed_by is not null);

-- CreateIndex
CREATE INDEX "pending_links_tapped_at_idx" ON "attribution"."pending_links" USING BRIN ("tapped_at");

-- CreateIndex
CREATE INDEX "contacts_app_id_address_last_at_idx" ON "attribution"."contacts"("app_id", "address", "last_at" DESC);

-- CreateIndex
CREATE INDEX "contacts_last_at_idx" ON "attribution"."contacts" USING BRIN ("last_at");

-- CreateIndex
CREATE INDEX "restores_given" ON "attribution"."restores"("claimant", "at" DESC) WHERE (match_type is not null and repeats is null);

-- CreateIndex
CREATE INDEX "restores_repeats" ON "attribution"."restores"("repeats") WHERE (repeats is not null);

-- CreateIndex
CREATE INDEX "restores_app_id_at_message_id_idx" ON "attribution"."restores"("app_id", "at" DESC, "message_id" DESC);

-- CreateIndex
CREATE INDEX "restores_at_idx" ON "attribution"."restores" USING BRIN ("at");

-- CreateIndex
CREATE INDEX "dead_letters_at_idx" ON "bus"."dead_letters"("at");

-- CreateIndex
CREATE INDEX "links_app_id_created_at_id_idx" ON "link"."links"("app_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "links_app_id_slug_key" ON "link"."links"("app_id", "slug");

-- CreateIndex
CREATE INDEX "edits_link_id_at_idx" ON "link"."edits"("link_id", "at");

-- AddForeignKey
ALTER TABLE "account"."hosts" ADD CONSTRAINT "hosts_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."keys" ADD CONSTRAINT "keys_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
