-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "push";

-- CreateTable
CREATE TABLE "push"."devices" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "token" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "environment" TEXT,
    "email" BYTEA,
    "first_seen" TIMESTAMPTZ(3) NOT NULL,
    "last_seen" TIMESTAMPTZ(3) NOT NULL,
    "registered_by" UUID NOT NULL,
    "dropped_at" TIMESTAMPTZ(3),
    "drop_reason" TEXT,
    "dropped_by" UUID,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push"."providers" (
    "app_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "credentials" TEXT NOT NULL,
    "facts" JSON NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "wait_until" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "pause_reason" TEXT,

    CONSTRAINT "providers_pkey" PRIMARY KEY ("app_id","kind")
);

-- CreateTable
CREATE TABLE "push"."notifications" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "message" JSON NOT NULL,
    "target" JSON NOT NULL,
    "input_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "send_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "targeted" INTEGER NOT NULL,
    "cancelled_at" TIMESTAMPTZ(3),
    "expanded_to" UUID,
    "expanded" INTEGER NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "expanded_at" TIMESTAMPTZ(3),
    "sent" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "unknown" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push"."deliveries" (
    "id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "device_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "in_doubt" BOOLEAN NOT NULL DEFAULT false,
    "provider_id" TEXT,
    "reason" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "untold" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push"."opens" (
    "message_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "notification_id" TEXT NOT NULL,
    "token_hash" BYTEA,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "known" BOOLEAN NOT NULL,
    "device_id" UUID,

    CONSTRAINT "opens_pkey" PRIMARY KEY ("message_id")
);

-- CreateTable
CREATE TABLE "push"."changes" (
    "message_id" UUID NOT NULL,
    "team_id" UUID,
    "app_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_user_id" UUID,
    "token_id" UUID,
    "address" BYTEA,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "before" JSON,
    "after" JSON,
    "reply" JSON NOT NULL,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("message_id")
);

-- CreateIndex
CREATE INDEX "devices_live" ON "push"."devices"("app_id", "id") WHERE (dropped_at is null);

-- CreateIndex
CREATE INDEX "devices_of_person" ON "push"."devices"("app_id", "email", "id") WHERE (dropped_at is null and email is not null);

-- CreateIndex
CREATE UNIQUE INDEX "devices_app_id_token_hash_key" ON "push"."devices"("app_id", "token_hash");

-- CreateIndex
CREATE INDEX "notifications_app_id_created_at_id_idx" ON "push"."notifications"("app_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "notifications_due" ON "push"."notifications"("send_at") WHERE (expanded_at is null and cancelled_at is null);

-- CreateIndex
CREATE INDEX "notifications_created_at_idx" ON "push"."notifications" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "deliveries_queued" ON "push"."deliveries"("app_id", "kind", "next_at") WHERE (state = 'queued');

-- CreateIndex
CREATE INDEX "deliveries_untold" ON "push"."deliveries"("id") WHERE (untold);

-- CreateIndex
CREATE INDEX "deliveries_notification_id_device_id_idx" ON "push"."deliveries"("notification_id", "device_id");

-- CreateIndex
CREATE INDEX "deliveries_astray" ON "push"."deliveries"("notification_id", "reason") WHERE (state in ('failed', 'unknown'));

-- CreateIndex
CREATE INDEX "opens_at_idx" ON "push"."opens" USING BRIN ("at");

-- CreateIndex
CREATE UNIQUE INDEX "opens_app_id_notification_id_token_hash_key" ON "push"."opens"("app_id", "notification_id", "token_hash");

-- CreateIndex
CREATE INDEX "changes_at_idx" ON "push"."changes" USING BRIN ("at");

-- CreateIndex
CREATE INDEX "changes_of_team" ON "push"."changes"("team_id", "at" DESC, "message_id" DESC) WHERE (team_id is not null);

-- CreateIndex
CREATE INDEX "changes_of_app" ON "push"."changes"("team_id", "app_id", "at" DESC, "message_id" DESC) WHERE (team_id is not null);

-- CreateIndex
CREATE INDEX "changes_of_person" ON "push"."changes"("team_id", "actor_user_id", "at" DESC, "message_id" DESC) WHERE (team_id is not null and actor_user_id is not null);
