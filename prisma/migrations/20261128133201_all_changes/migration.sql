-- CreateIndex
CREATE INDEX "audit_at_id_idx" ON "account"."audit"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "edits_of_all" ON "link"."edits"("at" DESC, "message_id" DESC);

-- CreateIndex
CREATE INDEX "changes_of_all" ON "push"."changes"("at" DESC, "message_id" DESC);
