-- CreateTable
CREATE TABLE "attribution"."activity" (
    "app_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "slot" INTEGER NOT NULL,
    "seen" INTEGER NOT NULL,
    "first_seen" INTEGER NOT NULL,

    CONSTRAINT "activity_pkey" PRIMARY KEY ("app_id","hour","slot")
);
