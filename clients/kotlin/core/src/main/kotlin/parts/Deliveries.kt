package dev.landfall.parts

import dev.landfall.Link
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch

/** Keeps the links that were found until they are handled, and hands them to the listeners. */
internal class Deliveries(private val session: Session) {
    @Volatile
    var last: Link? = null
        private set

    /** Is told of each link that is delivered. */
    var onDelivery: (Link) -> Unit = {}

    // The rest is used on one thread at a time, that of the listeners. A fault of a listener is the app's own, so nothing
    // catches it.
    private val scope = CoroutineScope(SupervisorJob() + session.runtime.listeners.limitedParallelism(1))
    private val listeners = mutableListOf<Listener>()
    private val unheard = ArrayDeque<Link>()

    private class Listener(val hear: (Link) -> Unit) {
        @Volatile
        var isActive = true
    }

    /** Stores a link. It takes the place of the same link. */
    fun keep(link: Link): Waiting {
        val waiting = Waiting(link, session.now)
        val stored = session.stored
        stored.waiting = (stored.waiting.filterNot { it.link.isSameAs(link) } + waiting).takeLast(Stored.MAX_WAITING)
        session.save()
        return waiting
    }

    fun deliver(waiting: Waiting) {
        val link = waiting.link
        waiting.deliveries++
        session.save()
        link.end = { session.launch { end(waiting) } }
        last = link
        onDelivery(link)
        scope.launch {
            unheard.addLast(link)
            handOut()
        }
    }

    /** Delivers the newest link of a run before, if there is one. */
    fun deliverWaiting(): Boolean {
        val stored = session.stored
        val fresh = stored.waiting.filter { session.now - it.at < DAY && it.deliveries < MAX_DELIVERIES }
        if (fresh.size < stored.waiting.size) {
            stored.waiting = fresh
            session.save()
        }
        deliver(fresh.lastOrNull() ?: return false)
        return true
    }

    private fun end(waiting: Waiting) {
        val stored = session.stored
        if (waiting !in stored.waiting) return
        stored.waiting -= waiting
        session.save()
    }

    fun listen(hear: (Link) -> Unit): () -> Unit {
        val listener = Listener(hear)
        scope.launch {
            listeners += listener
            handOut()
        }
        return { listener.isActive = false }
    }

    /** A link waits while nobody listens: between two activities, too. */
    private fun handOut() {
        listeners.removeAll { !it.isActive }
        if (listeners.isEmpty()) return
        while (unheard.isNotEmpty()) {
            val link = unheard.removeFirst()
            for (listener in listeners.toList()) if (listener.isActive) listener.hear(link)
        }
    }

    private companion object {
        const val MAX_DELIVERIES = 3
    }
}
