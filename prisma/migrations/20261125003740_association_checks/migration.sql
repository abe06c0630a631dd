-- CreateTable
CREATE TABLE "account"."association_checks" (
    "app_id" UUID NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "taken_by" UUID,
    "checked_at" TIMESTAMPTZ(3),
    "failing" BOOLEAN NOT NULL DEFAULT false,
    "changed" BOOLEAN NOT NULL DEFAULT false,
    "stored_by" UUID,
    "findings" JSON NOT NULL DEFAULT '[]',

    CONSTRAINT "association_checks_pkey" PRIMARY KEY ("app_id")
);

-- AddForeignKey
ALTER TABLE "account"."association_checks" ADD CONSTRAINT "association_checks_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
