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

    /** True if a restore of this run has found a link. */
    var hasFound = false
        private set

    /** Says whether the user was part of no restore of this run. After this call they count as one who was. */
    fun claimUser(): Boolean = session.user?.email?.let(emails::add) ?: false

    /** @param openedBefore how many links were opened before the evidence was collected */
    suspend fun restore(evidence: Evidence, openedBefore: Int) {
        val answer = if (session.stored.restored) ask(evidence) else Api.untilAnswered { ask(evidence) }
        if (answer is Answer.Refusal) return session.problem("The restore", answer)
        if (answer !is Answer.Success) return
        val stored = session.stored
        stored.restored = true
        val (link, id) = newestOf(answer) ?: return session.save()
        hasFound = true
        // A restart within seconds gets the same answer again.
        if (id != null && id == stored.restoredId) return session.save()
        stored.restoredId = id ?: stored.restoredId
        // The person has had it.
        if (opened.found.any(link::isSameAs)) return session.save()
        val waiting = deliveries.keep(link)
        // The person wants the link that they opened meanwhile. This one waits for the next start.
        if (opened.count == openedBefore) deliveries.deliver(waiting)
    }

    private suspend fun ask(evidence: Evidence): Answer {
        claimUser()
        return api.post("/api/deferred-deep-linking/restore", evidence.ofRestore())
    }

    /** The newest link, and the id of its restore. */
    private fun newestOf(answer: Answer.Success): Pair<Link, String?>? = answer.json.objects("restoredLinks")
        .mapNotNull { item ->
            Link.read(item, Via.DEFERRED, Link.matchOf(item.text("matchType")))?.let { it to item.text("pendingLinkId") }
        }
        .lastOrNull()
}
