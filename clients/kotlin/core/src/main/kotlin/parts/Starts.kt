package dev.landfall.parts

import dev.landfall.Link
import java.util.concurrent.atomic.AtomicReference
import kotlin.math.abs
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch

/** The start of an app, and what is sent for a user or a consent that comes later. The steps are those of behaviour.md. */
internal class Starts(
    private val session: Session,
    private val api: Api,
    private val deliveries: Deliveries,
    private val opened: OpenedLinks,
    private val pushes: Pushes,
) {
    private val collector = Collector(session, api)
    private val restores = Restores(session, api, deliveries, opened)
    private val first = AtomicReference<CompletableDeferred<Link?>>()

    // Used on the worker alone.
    private var hadLink = false
    private var reports: Job? = null
    private var collected: Evidence? = null

    init {
        deliveries.onDelivery = { first.get()?.complete(it) }
    }

    fun start(initialLink: String?): Deferred<Link?> {
        val result = CompletableDeferred<Link?>()
        if (!first.compareAndSet(null, result)) return first.get()
        // Not on the worker: a slow storage may hold it up.
        val limit = CoroutineScope(session.runtime.listeners).launch {
            delay(LIMIT_MS)
            result.complete(null)
        }
        result.invokeOnCompletion { limit.cancel() }
        session.launch { run(initialLink, result) }
        return result
    }

    private suspend fun run(initialLink: String?, result: CompletableDeferred<Link?>) {
        session.deviceId()
        val lookUp = takeLink(initialLink)
        hadLink = lookUp != null || deliveries.deliverWaiting() || takeUnresolved()
        if (session.mayReport) report()
        // `open` may have found its link before the start.
        deliveries.last?.let(result::complete)
        if (hadLink) opened.latest?.join() else reports?.join()
        result.complete(null)
        restoreForUser()
    }

    /** The link that opened the app. It may also have come by `open`, before the start. */
    private fun takeLink(initialLink: String?): Job? =
        if (initialLink != null && session.options.addressOf(initialLink) != null) opened.take(initialLink) else opened.latest

    private fun takeUnresolved(): Boolean {
        val left = session.stored.unresolved?.takeIf { session.now - it.at < DAY } ?: return false
        opened.take(left.url, left.at)
        return true
    }

    /** Sends what is due. [reports] ends with the restore. */
    private fun report() {
        reports = session.launchReport {
            val openedBefore = opened.count
            val evidence = collector.collect(forRestore = !hadLink) { restoreLate(it, openedBefore) }
            collected = evidence
            if (isHeartbeatDue) session.launchReport { sendHeartbeat(evidence) }
            // Who came for a link gets no other one after it.
            if (hadLink) restores.claimUser()
            val restore = if (hadLink) null else session.launchReport { restores.restore(evidence, openedBefore) }
            pushes.sendLeft()
            restore?.join()
        }
    }

    private val isHeartbeatDue get() = session.stored.heartbeatAt.let { it == null || abs(session.now - it) >= DAY }

    private suspend fun sendHeartbeat(evidence: Evidence) {
        if (api.post("/api/deferred-deep-linking/install-heartbeat", evidence.ofHeartbeat()) !is Answer.Success) return
        session.stored.heartbeatAt = session.now
        session.save()
    }

    /** A text of the clipboard that came after the evidence gets a restore of its own, if this run has found nothing. */
    private suspend fun restoreLate(clipboard: String, openedBefore: Int) {
        reports?.join()
        if (deliveries.last != null || restores.hasFound) return
        val evidence = collected?.with(clipboard) ?: return
        session.launchReport { restores.restore(evidence, openedBefore) }
    }

    /** A user who was part of no restore of this run gets one of their own. */
    private suspend fun restoreForUser() {
        if (!session.mayReport || !restores.claimUser()) return
        val openedBefore = opened.count
        val evidence = collector.collect(forRestore = true)
        session.launchReport { restores.restore(evidence, openedBefore) }
    }

    suspend fun identify() {
        val start = first.get()
        start?.join()
        if (start != null) restoreForUser()
        pushes.registerIfDue()
    }

    /** Does what a start without consent has left out. */
    suspend fun consent() {
        if (first.get() == null) return
        if (reports == null) report() else pushes.sendLeft()
        reports?.join()
        restoreForUser()
    }

    fun withdraw() {
        // What was ended in the middle is left for the next consent.
        if (reports?.isActive == true) reports = null
        session.endReports()
        pushes.withdraw()
    }

    fun forget() {
        first.get()?.complete(null)
    }

    private companion object {
        const val LIMIT_MS = 3_000L
    }
}
