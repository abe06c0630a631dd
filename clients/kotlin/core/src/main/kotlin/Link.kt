package dev.landfall

import dev.landfall.parts.objectOrEmpty
import dev.landfall.parts.text
import org.json.JSONObject

/** How a link came to the app. */
public enum class Via {
    /** It was opened in the app. */
    DIRECT,

    /** It was tapped before the install. */
    DEFERRED,

    /** It came with a push. */
    PUSH,
}

/** How a deferred link was found. */
public enum class Match {
    /** The install referrer or the clipboard named the tap. */
    TOKEN,

    /** The user of `identify` tapped it. */
    ACCOUNT,

    /** The device was seen before. */
    DEVICE,

    /** It was tapped at the same address. It may be another person's. */
    ADDRESS,

    /** The link was not deferred. */
    LINK,
}

/**
 * A link that reached the app.
 *
 * @property destination the path with its query: `/invite?code=7`
 * @property parameters the parameters of the link. Empty if there are none
 * @property metadata the metadata of the link. Empty if there is none
 * @property linkId the id of the link. None for a push without one
 */
public class Link internal constructor(
    public val destination: String,
    public val parameters: JSONObject,
    public val metadata: JSONObject,
    public val linkId: String?,
    public val via: Via,
    public val match: Match,
) {
    internal var end: (() -> Unit)? = null

    /** The path alone: `/invite`. */
    public val path: String get() = destination.substringBefore('?').substringBefore('#')

    /** False for a match by address alone. Ask it before you show what only this person may see. */
    public val sure: Boolean get() = match != Match.ADDRESS

    /** Ends the link. One that was not handled comes again at a later start. */
    public fun handled() {
        end?.invoke()
    }

    override fun toString(): String = "Link($destination, via=$via, match=$match)"

    internal fun isSameAs(other: Link): Boolean =
        if (linkId != null && other.linkId != null) linkId == other.linkId else destination == other.destination

    internal fun toJson(): JSONObject = JSONObject()
        .put("destination", destination)
        .put("parameters", parameters)
        .put("metadata", metadata)
        .put("linkId", linkId)
        .put("via", via.name.lowercase())
        .put("match", match.name.lowercase())

    internal companion object {
        /** Reads a link of an answer. None if its destination is not a path: it would lead out of the app. */
        fun read(json: JSONObject, via: Via, match: Match): Link? {
            val destination = json.text("destination")?.takeIf(::isPath) ?: return null
            val id = json.text("linkId") ?: json.text("link_id") ?: json.text("id")
            return Link(destination, json.objectOrEmpty("parameters"), json.objectOrEmpty("metadata"), id, via, match)
        }

        /** Reads a link of the storage. */
        fun readStored(json: JSONObject): Link? {
            val via = Via.entries.find { it.name.lowercase() == json.text("via") } ?: return null
            val match = Match.entries.find { it.name.lowercase() == json.text("match") } ?: return null
            return read(json, via, match)
        }

        /** The match of a restored link. A word that is not known counts as the least sure one. */
        fun matchOf(matchType: String?): Match = when (matchType) {
            "token" -> Match.TOKEN
            "email" -> Match.ACCOUNT
            "fingerprint" -> Match.DEVICE
            else -> Match.ADDRESS
        }

        /** `//host` and `/\host` lead out of the app: a browser reads both as a host. */
        fun isPath(text: String): Boolean = text.startsWith("/") && text.getOrNull(1) != '/' && text.getOrNull(1) != '\\'
    }
}
