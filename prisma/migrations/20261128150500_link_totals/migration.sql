-- CreateTable
CREATE TABLE "analytics"."link_totals" (
    "app_id" UUID NOT NULL,
    "link_id" UUID NOT NULL,
    "clicks_7" INTEGER NOT NULL DEFAULT 0,
    "clicks_30" INTEGER NOT NULL DEFAULT 0,
    "clicks_90" INTEGER NOT NULL DEFAULT 0,
    "installs_7" INTEGER NOT NULL DEFAULT 0,
    "installs_30" INTEGER NOT NULL DEFAULT 0,
    "installs_90" INTEGER NOT NULL DEFAULT 0,
    "last_tap_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_totals_pkey" PRIMARY KEY ("app_id","link_id")
) WITH (fillfactor = 80);

-- CreateTable
CREATE TABLE "analytics"."link_ends" (
    "app_id" UUID NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "link_ends_pkey" PRIMARY KEY ("app_id")
);

-- Both are filled by the service, when it first needs the totals of an app, or within an hour.
