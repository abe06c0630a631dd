package dev.landfall

import dev.landfall.parts.OpenedPush
import dev.landfall.parts.Pushes
import dev.landfall.parts.Session
import dev.landfall.parts.decoded
import dev.landfall.parts.objectOf
import org.json.JSONObject

/** Pushes of a client. */
public class Push internal constructor(private val session: Session, private val pushes: Pushes) {
    /**
     * Registers the device. Call it at each start, and when the token changes: it sends only what is new.
     *
     * @param token the token of Firebase
     * @param language the language of the app, BCP 47. Without it the device gets the texts that are for everybody
     */
    public fun register(token: String, language: String? = null) {
        session.launch { pushes.register(token, language) }
    }

    /** Ends the pushes of this device. */
    public fun unregister() {
        session.launch { pushes.unregister() }
    }

    /**
     * Reports a push that a person opened.
     *
     * @param data the data of the push, or the extras of the intent that it led to
     * @return the link of the push. None if it has none, or is of another service
     */
    public fun opened(data: Map<String, Any?>): Link? {
        val id = (data["notificationId"] as? String)?.takeIf(String::isNotBlank)
        if (id != null) session.launch { pushes.report(OpenedPush(id, data["deviceToken"] as? String)) }
        val destination = (data["destinationPath"] as? String)?.takeIf(Link::isPath) ?: return null
        val metadata = metadataOf(data["metadata"])
        return Link(destination, parametersOf(destination), metadata, data["linkId"] as? String, Via.PUSH, Match.LINK)
    }
}

private fun metadataOf(value: Any?): JSONObject = when (value) {
    is JSONObject -> value
    is Map<*, *> -> JSONObject(value)
    is String -> objectOf(value)
    else -> null
} ?: JSONObject()

/** The query of a path. The last one of equal names counts. */
private fun parametersOf(destination: String): JSONObject {
    val parameters = JSONObject()
    val query = destination.substringBefore('#').substringAfter('?', "")
    for (part in query.split('&').filter(String::isNotEmpty)) {
        val (name, value) = part.substringBefore('=') to part.substringAfter('=', "")
        parameters.put(decoded(name.replace('+', ' ')), decoded(value.replace('+', ' ')))
    }
    return parameters
}
