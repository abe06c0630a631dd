package dev.landfall.parts

import dev.landfall.Link
import dev.landfall.Match
import dev.landfall.Options
import dev.landfall.Via
import java.net.URLDecoder
import kotlinx.coroutines.Job

/** Where a link leads: the host names the app, the slug the link. */
internal class LinkAddress(val host: String, val slug: String)

/** Takes the URL of a link apart. None if it is not one of the app. */
internal fun Options.addressOf(url: String): LinkAddress? {
    val (authority, path) = LINK.find(url.trim())?.destructured ?: return null
    val host = withoutPort(authority.substringAfterLast('@'))
    if (hosts.none { withoutPort(it) == host }) return null
    val slug = path.trim('/').ifEmpty { return null }
    return LinkAddress(host, decoded(slug))
}

// `java.net.URI` refuses characters that browsers let pass. A backslash is no part of a host: browsers read it as a slash.
private val LINK = Regex("""^https?://([^/?#\\]+)(/[^?#]*)""", RegexOption.IGNORE_CASE)

internal fun withoutPort(host: String): String = host.lowercase().replace(Regex(":\\d*$"), "")

/** A text that is encoded in a wrong way stays as it is. */
internal fun decoded(text: String): String = try {
    URLDecoder.decode(text.replace("+", "%2B"), "UTF-8")
} catch (_: IllegalArgumentException) {
    text
}

/** Looks up the links that a person opened in the app. */
internal class OpenedLinks(private val session: Session, private val api: Api, private val deliveries: Deliveries) {
    /** How many were opened in this run. */
    var count = 0
        private set

    /** Those of this run that were found. */
    val found = mutableListOf<Link>()

    /** The look-up of the newest one. */
    var latest: Job? = null
        private set

    /**
     * Looks a link up, and delivers it. Call it on the worker.
     *
     * @param since when it was opened, if a run before could not look it up
     */
    fun take(url: String, since: Long? = null): Job {
        count++
        return session.launch { lookUpAndDeliver(url, since) }.also { latest = it }
    }

    private suspend fun lookUpAndDeliver(url: String, since: Long?) {
        val address = session.options.addressOf(url) ?: return
        val answer = Api.untilAnswered { lookUp(address) }
        val stored = session.stored
        if (answer is Answer.None) {
            stored.unresolved = Unresolved(url, since ?: session.now)
            return session.save()
        }
        if (stored.unresolved?.url == url) {
            stored.unresolved = null
            session.save()
        }
        // It was told already, and says nothing of the link.
        if (answer is Answer.Refusal && answer.status == 401) return
        val link = (answer as? Answer.Success)?.let(::linkOf)
            ?: return session.problem("No link has the address $url. It was deleted, has expired, or is of another app.")
        found += link
        deliveries.deliver(deliveries.keep(link))
    }

    /** Without consent it has no key, so it is not counted. */
    suspend fun lookUp(address: LinkAddress): Answer {
        val query = mapOf("slug" to address.slug, "hostname" to address.host)
        return api.get("/api/links/get-by-slug", query, withKey = session.mayReport)
    }

    companion object {
        fun linkOf(answer: Answer.Success): Link? = Link.read(answer.json.objectOrEmpty("link"), Via.DIRECT, Match.LINK)
    }
}
