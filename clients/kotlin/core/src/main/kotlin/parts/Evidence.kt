package dev.landfall.parts

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withTimeoutOrNull
import org.json.JSONObject

/** What a device can say about itself, so that the server finds the tap. */
internal class Evidence(
    private val session: Session,
    private val addressToken: String?,
    private val installReferrer: String?,
    private val clipboard: String?,
) {
    fun ofHeartbeat(): JSONObject = JSONObject().apply {
        val device = session.device
        put("deviceFingerprint", session.deviceId())
        put("platform", device.platform)
        put("osVersion", told { device.osVersion })
        put("model", told { device.model })
        put("language", told { device.language })
        put("addressToken", addressToken)
    }

    /** The time since the install is that of now: a restore may be tried again. */
    fun ofRestore(): JSONObject = ofHeartbeat().apply {
        val sinceInstall = told { session.device.installedAt }?.let { Math.floorDiv(session.now - it, 1_000L) }
        if (sinceInstall != null && sinceInstall >= 0) put("installedSecondsAgo", sinceInstall)
        if (!session.stored.restored) put("installReferrer", installReferrer)
        put("clipboard", clipboard)
        put("userEmail", session.user?.email)
        put("identityToken", session.user?.token)
    }

    fun with(clipboard: String): Evidence = Evidence(session, addressToken, installReferrer, clipboard)
}

/** Collects evidence, once for each time that the client reports. */
internal class Collector(private val session: Session, private val api: Api) {
    private var clipboardWasRead = false

    /**
     * Takes at most a second. What is not there by then is left out.
     *
     * @param onLateClipboard gets a text of the clipboard that comes later
     */
    suspend fun collect(forRestore: Boolean, onLateClipboard: suspend (String) -> Unit = {}): Evidence = coroutineScope {
        val first = forRestore && !session.stored.restored
        val readClipboard = first && session.options.clipboard && !clipboardWasRead
        if (readClipboard) clipboardWasRead = true
        val token = async { session.options.ipv6Url?.let { url -> session.within(LIMIT_MS) { addressToken(url) } } }
        val referrer = async { if (first) session.within(LIMIT_MS) { session.device.installReferrer() } else null }
        val clipboard = async { if (readClipboard) clipboard(onLateClipboard) else null }
        Evidence(session, token.await(), referrer.await(), clipboard.await())
    }

    /** Does not give up after the second: some systems ask the person first. */
    private suspend fun clipboard(onLate: suspend (String) -> Unit): String? {
        val inTime = CompletableDeferred<String?>()
        session.launch {
            // Every other text on the clipboard is the person's own.
            val text = told { session.device.clipboard() }?.takeIf { session.options.addressOf(it) != null }
            if (!inTime.complete(text) && text != null) onLate(text)
        }
        return withTimeoutOrNull(LIMIT_MS) { inTime.await() }.also { inTime.complete(null) }
    }

    private suspend fun addressToken(ipv6Url: String): String? {
        val answer = api.get("/api/address", mapOf("deviceFingerprint" to session.deviceId()), origin = ipv6Url)
        return (answer as? Answer.Success)?.json?.text("addressToken")
    }

    companion object {
        const val LIMIT_MS = 1_000L
    }
}
