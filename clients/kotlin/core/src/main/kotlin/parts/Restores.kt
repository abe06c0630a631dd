package dev.landfall.parts

import dev.landfall.Link
import dev.landfall.Via

/** Asks for the link that was tapped before the install. */
internal class Restores(
    private val session: Session,
    private val api: Api,
    private val deliveries: Deliveries,
    private val opened: OpenedLinks,
) {
    private val emails = mutableSetOf<String>()

    /** Says whether the user was part of no restore of this run. After this call they count as one who was. */
    fun claimUser(): Boolean = session.user?.email?.let(emails::add) ?: false

    /** @param openedBefore how many links were opened before the evidence was collected */
    suspend fun restore(evidence: Evidence, openedBefore: Int) {
        val answer = if (session.stored.restored) ask(evidence) else Api.untilAnswered { ask(evidence) }
        if (answer is Answer.Refusal) return tell(answer)
        if (answer !is Answer.Success) return
        session.stored.restored = true
        val link = newestOf(answer) ?: return session.save()
        if (opened.count == openedBefore) return deliveries.deliver(deliveries.keep(link))
        // The person wants the link that they opened meanwhile. This one waits for the next start, unless they are the same.
        if (opened.found.none(link::isSameAs)) deliveries.keep(link) else session.save()
    }

    private suspend fun ask(evidence: Evidence): Answer {
        claimUser()
        return api.post("/api/deferred-deep-linking/restore", evidence.ofRestore())
    }

    private fun newestOf(answer: Answer.Success): Link? = answer.json.objects("restoredLinks")
        .mapNotNull { Link.read(it, Via.DEFERRED, Link.matchOf(it.text("matchType"))) }
        .lastOrNull()

    private fun tell(refusal: Answer.Refusal) {
        // A wrong key is told elsewhere, and too many requests are nobody's fault.
        if (refusal.isOfKey || refusal.status == 429) return
        session.problem("The restore was refused: ${refusal.sentence} (${refusal.code})")
    }
}
