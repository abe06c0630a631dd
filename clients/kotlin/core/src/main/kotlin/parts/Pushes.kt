package dev.landfall.parts

import kotlin.math.abs
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import org.json.JSONObject

/** Registers the device for pushes, and reports those that were opened. What failed is sent again in the next run. */
internal class Pushes(private val session: Session, private val api: Api) {
    // What was tried in this run.
    private var attempt: Attempt? = null
    private val unregistered = mutableSetOf<String>()
    private val reported = mutableSetOf<OpenedPush>()

    /** One at a time, so that a register after an unregister also arrives after it. */
    private val line = Mutex()

    private data class Attempt(val token: String, val language: String?, val email: String?, val identityToken: String?)

    fun register(token: String, language: String?) {
        val stored = session.stored
        val current = stored.push
        stored.unregister -= token
        unregistered -= token
        val isNew = current?.token != token || current.language != language
        if (isNew) stored.push = Registration(token, language, current?.user)
        session.save()
        registerIfDue()
    }

    fun unregister() {
        val stored = session.stored
        takeBack()
        stored.push = null
        session.save()
        session.launch { sendUnregister() }
    }

    /** Unregisters the device, and keeps the token for the time after a new consent. */
    fun withdraw() {
        val stored = session.stored
        takeBack()
        stored.push = stored.push?.run { Registration(token, language) }
        session.save()
        session.launch { sendUnregister() }
    }

    /** Unregisters after everything was deleted. */
    fun forget(tokens: List<String>) {
        attempt = null
        unregistered -= tokens.toSet()
        session.launch {
            sendUnregister()
            if (session.stored.isEmpty) session.write(null)
        }
    }

    private fun takeBack() {
        val stored = session.stored
        val push = stored.push?.takeIf { it.sent } ?: return
        stored.unregister = stored.unregister - push.token + push.token
        unregistered -= push.token
        attempt = null
    }

    fun report(push: OpenedPush) {
        session.stored.run { opened = (opened + push).takeLast(Stored.MAX_OPENED) }
        session.save()
        session.launchReport { sendOpened() }
    }

    /** Sends what a run before, or a time without consent, has left. */
    fun sendLeft() {
        session.launchReport { sendUnregister() }
        registerIfDue()
        session.launchReport { sendOpened() }
    }

    fun registerIfDue() {
        session.launchReport { line.withLock { sendRegistration() } }
    }

    private suspend fun sendRegistration() {
        val push = session.stored.push ?: return
        // Until `identify` was called, the user of the run before counts as signed in.
        val email = if (session.userIsKnown) session.user?.email else push.user
        val next = Attempt(push.token, push.language, email, session.user?.token)
        val answeredAt = push.answeredAt
        val isFresh = answeredAt != null && abs(session.now - answeredAt) < WEEK
        if (next == attempt || isFresh && push.user == email) return
        attempt = next
        push.user = email
        push.sent = true
        push.answeredAt = null
        session.save()
        val body = JSONObject()
            .put("deviceToken", next.token)
            .put("platform", session.device.platform)
            .put("userEmail", next.email)
            .put("identityToken", next.identityToken)
            .put("language", next.language)
        when (val answer = api.post("/api/push/register", body)) {
            is Answer.Success -> {
                push.answeredAt = session.now
                session.save()
            }
            is Answer.Refusal -> session.problem("The push registration", answer)
            is Answer.None -> Unit
        }
    }

    private suspend fun sendUnregister() = line.withLock {
        for (token in session.stored.unregister) {
            if (!unregistered.add(token)) continue
            if (!api.post("/api/push/unregister", JSONObject().put("deviceToken", token)).isFinal) continue
            session.stored.unregister -= token
            session.save()
        }
    }

    private suspend fun sendOpened() {
        for (push in session.stored.opened) {
            if (!reported.add(push)) continue
            if (!api.post("/api/push/opened", push.toJson()).isFinal) continue
            session.stored.opened -= push
            session.save()
        }
    }

    private companion object {
        const val WEEK = 7 * DAY
    }
}

/** A refusal for the key, or of too many requests, may be another one tomorrow. */
private val Answer.isFinal: Boolean
    get() = when (this) {
        is Answer.Success -> true
        is Answer.Refusal -> status != 401 && status != 429
        is Answer.None -> false
    }
