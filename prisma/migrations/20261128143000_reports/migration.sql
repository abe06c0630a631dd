-- CreateTable
CREATE TABLE "account"."channels" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "user_id" UUID,
    "target" TEXT,
    "hint" TEXT NOT NULL,
    "secret" TEXT,
    "verified_at" TIMESTAMPTZ(3),
    "unsubscribed_at" TIMESTAMPTZ(3),
    "code_hash" BYTEA,
    "code_expires_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."reports" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "every" TEXT NOT NULL,
    "day" SMALLINT NOT NULL,
    "hour" SMALLINT NOT NULL,
    "channel_ids" UUID[],
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "taken_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."alerts" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "dimension" TEXT,
    "value" TEXT,
    "rule" TEXT NOT NULL,
    "bound" DOUBLE PRECISION,
    "hours" SMALLINT NOT NULL,
    "channel_ids" UUID[],
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL DEFAULT 'unknown',
    "since" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "streak" SMALLINT NOT NULL DEFAULT 0,
    "told" TEXT NOT NULL DEFAULT 'ok',
    "figure" DOUBLE PRECISION,
    "expected" DOUBLE PRECISION,
    "checked_at" TIMESTAMPTZ(3),
    "snoozed_until" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account"."channel_messages" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "channel_id" UUID,
    "via" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "source_id" UUID,
    "body" JSON NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "fault" TEXT,
    "status" SMALLINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "channel_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "channels_code_hash_key" ON "account"."channels"("code_hash");

-- CreateIndex
CREATE INDEX "channels_app_id_created_at_idx" ON "account"."channels"("app_id", "created_at");

-- CreateIndex
CREATE INDEX "reports_app_id_created_at_idx" ON "account"."reports"("app_id", "created_at");

-- CreateIndex
CREATE INDEX "reports_next_at_idx" ON "account"."reports"("next_at");

-- CreateIndex
CREATE INDEX "alerts_app_id_created_at_idx" ON "account"."alerts"("app_id", "created_at");

-- CreateIndex
CREATE INDEX "alerts_next_at_idx" ON "account"."alerts"("next_at");

-- CreateIndex
CREATE INDEX "channel_messages_app_id_created_at_idx" ON "account"."channel_messages"("app_id", "created_at");

-- CreateIndex
CREATE INDEX "channel_messages_due" ON "account"."channel_messages"("next_at") WHERE (state = 'waiting');

-- CreateIndex
CREATE INDEX "channel_messages_source_id_created_at_idx" ON "account"."channel_messages"("source_id", "created_at");

-- CreateIndex
CREATE INDEX "channel_messages_channel_id_idx" ON "account"."channel_messages"("channel_id");

-- CreateIndex
CREATE INDEX "channel_messages_created_at_idx" ON "account"."channel_messages" USING BRIN ("created_at");

-- AddForeignKey
ALTER TABLE "account"."channels" ADD CONSTRAINT "channels_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."reports" ADD CONSTRAINT "reports_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."alerts" ADD CONSTRAINT "alerts_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."channel_messages" ADD CONSTRAINT "channel_messages_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account"."channel_messages" ADD CONSTRAINT "channel_messages_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "account"."channels"("id") ON DELETE SET NULL ON UPDATE CASCADE;
