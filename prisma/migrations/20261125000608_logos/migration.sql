-- CreateTable
CREATE TABLE "account"."logos" (
    "hash" TEXT NOT NULL,
    "app_id" UUID NOT NULL,
    "image" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "logos_pkey" PRIMARY KEY ("hash","app_id")
);

-- CreateIndex
CREATE INDEX "logos_app_id_idx" ON "account"."logos"("app_id");

-- AddForeignKey
ALTER TABLE "account"."logos" ADD CONSTRAINT "logos_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
