-- AlterTable
ALTER TABLE "link"."edits" ADD COLUMN     "actor_kind" TEXT NOT NULL DEFAULT 'operator',
ADD COLUMN     "actor_user_id" UUID,
ADD COLUMN     "address" BYTEA,
ADD COLUMN     "after" JSON,
ADD COLUMN     "app_id" UUID,
ADD COLUMN     "before" JSON,
ADD COLUMN     "team_id" UUID,
ADD COLUMN     "token_id" UUID;

-- CreateIndex
CREATE INDEX "edits_at_idx" ON "link"."edits" USING BRIN ("at");

-- CreateIndex
CREATE INDEX "edits_of_team" ON "link"."edits"("team_id", "at" DESC, "message_id" DESC) WHERE (team_id is not null);

-- CreateIndex
CREATE INDEX "edits_of_app" ON "link"."edits"("team_id", "app_id", "at" DESC, "message_id" DESC) WHERE (team_id is not null);

-- CreateIndex
CREATE INDEX "edits_of_person" ON "link"."edits"("team_id", "actor_user_id", "at" DESC, "message_id" DESC) WHERE (team_id is not null and actor_user_id is not null);

-- While these two are built, links can be read, and not made or edited: 3 to 5 seconds for a million. Whoever has many
-- millions builds them before, under the same names and with CREATE INDEX CONCURRENTLY; then nothing is left to do here.

-- CreateIndex
CREATE INDEX IF NOT EXISTS "links_archived" ON "link"."links"("app_id", "created_at" DESC, "id" DESC) WHERE (archived_at is not null);

-- CreateIndex
CREATE INDEX IF NOT EXISTS "links_expiring" ON "link"."links"("app_id", "created_at" DESC, "id" DESC) WHERE (expires_at is not null);
