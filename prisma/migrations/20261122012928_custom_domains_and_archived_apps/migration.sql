-- AlterTable
ALTER TABLE "account"."apps" ADD COLUMN     "archived_at" TIMESTAMPTZ(3),
ADD COLUMN     "primary_domain" TEXT;

-- CreateTable
CREATE TABLE "account"."domains" (
    "id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "domains_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "domains_app_id_domain_key" ON "account"."domains"("app_id", "domain");

-- AddForeignKey
ALTER TABLE "account"."domains" ADD CONSTRAINT "domains_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "account"."apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
