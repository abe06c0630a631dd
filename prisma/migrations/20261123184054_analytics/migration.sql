-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "analytics";

-- CreateTable
CREATE TABLE "analytics"."facts" (
    "at" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "kind" SMALLINT NOT NULL,
    "link_id" UUID,
    "device" UUID,
    "visitor" BIGINT,
    "click_id" UUID,
    "clicked_at" TIMESTAMPTZ(3),
    "installed_at" TIMESTAMPTZ(3),
    "install_day" SMALLINT,
    "to_store" BOOLEAN,
    "country" TEXT,
    "platform" TEXT,
    "os" TEXT,
    "browser" TEXT,
    "language" TEXT,
    "referrer" TEXT,
    "in_app_browser" TEXT,
    "via" TEXT,
    "utm_source" TEXT,
    "utm_medium" TEXT,
    "utm_campaign" TEXT,
    "utm_term" TEXT,
    "utm_content" TEXT,
    "match_type" TEXT,
    "app_version" TEXT,
    "os_version" TEXT,
    "labels" JSONB,

    CONSTRAINT "facts_pkey" PRIMARY KEY ("at","id")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "analytics"."day_counts" (
    "app_id" UUID NOT NULL,
    "metric" TEXT NOT NULL,
    "dimension" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "value" TEXT NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "day_counts_pkey" PRIMARY KEY ("app_id","metric","dimension","day","value")
) WITH (fillfactor = 80);

-- CreateTable
CREATE TABLE "analytics"."link_counts" (
    "app_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "link_id" UUID NOT NULL,
    "clicks" INTEGER NOT NULL DEFAULT 0,
    "store_redirects" INTEGER NOT NULL DEFAULT 0,
    "opens" INTEGER NOT NULL DEFAULT 0,
    "restores" INTEGER NOT NULL DEFAULT 0,
    "attributed_installs" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "link_counts_pkey" PRIMARY KEY ("app_id","day","link_id")
) WITH (fillfactor = 80);

-- CreateTable
CREATE TABLE "analytics"."hour_counts" (
    "app_id" UUID NOT NULL,
    "metric" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "hour_counts_pkey" PRIMARY KEY ("app_id","metric","hour")
) WITH (fillfactor = 80);

-- CreateTable
CREATE TABLE "analytics"."visitors" (
    "app_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "visitor" BIGINT NOT NULL,

    CONSTRAINT "visitors_pkey" PRIMARY KEY ("app_id","day","visitor")
);

-- CreateTable
CREATE TABLE "analytics"."salts" (
    "day" DATE NOT NULL,
    "salt" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "salts_pkey" PRIMARY KEY ("day")
);

-- CreateTable
CREATE TABLE "analytics"."installs" (
    "app_id" UUID NOT NULL,
    "device" UUID NOT NULL,
    "install_id" UUID,
    "installed_at" TIMESTAMPTZ(3),
    "country" TEXT,
    "platform" TEXT,
    "app_version" TEXT,
    "restores" JSONB NOT NULL DEFAULT '[]',
    "link_id" UUID,
    "click_id" UUID,
    "clicked_at" TIMESTAMPTZ(3),
    "restored_at" TIMESTAMPTZ(3),
    "match_type" TEXT,
    "latest_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "installs_pkey" PRIMARY KEY ("app_id","device")
);

-- CreateTable
CREATE TABLE "analytics"."apps" (
    "app_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "time_zone" TEXT NOT NULL,

    CONSTRAINT "apps_pkey" PRIMARY KEY ("app_id")
);

-- CreateTable
CREATE TABLE "analytics"."state" (
    "id" SMALLINT NOT NULL,
    "complete_from" TIMESTAMPTZ(3) NOT NULL,
    "kept_from" TIMESTAMPTZ(3),

    CONSTRAINT "state_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "analytics"."inbox" (
    "id" BIGSERIAL NOT NULL,
    "event" TEXT NOT NULL,
    "messages" TEXT STORAGE EXTERNAL NOT NULL,
    "failure" TEXT,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "analytics"."demos" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "options" JSONB NOT NULL,

    CONSTRAINT "demos_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "demos_app_id_idx" ON "analytics"."demos"("app_id");

-- CreateIndex
CREATE INDEX "facts_link" ON "analytics"."facts"("app_id", "link_id", "at");

-- CreateIndex
CREATE INDEX "installs_app_id_installed_at_idx" ON "analytics"."installs"("app_id", "installed_at");

-- CreateIndex
CREATE INDEX "installs_latest_at_idx" ON "analytics"."installs" USING BRIN ("latest_at");
