-- CreateTable
CREATE TABLE "account"."outbox" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "events" JSON NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
