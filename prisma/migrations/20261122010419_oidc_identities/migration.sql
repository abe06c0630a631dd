-- CreateTable
CREATE TABLE "account"."identities" (
    "issuer" TEXT NOT NULL,
    "subject_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("issuer","subject_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "identities_user_id_issuer_key" ON "account"."identities"("user_id", "issuer");

-- AddForeignKey
ALTER TABLE "account"."identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "account"."users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
