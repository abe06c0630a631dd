package dev.landfall.parts

import dev.landfall.Link
import org.json.JSONArray
import org.json.JSONObject

/** A link that was found and not handled. */
internal class Waiting(val link: Link, val at: Long, var deliveries: Int = 0) {
    /** True if a run before this one delivered it. */
    val isOld = deliveries > 0
}

internal class Unresolved(val url: String, val at: Long)

/**
 * The registration for pushes.
 *
 * @property sent true as soon as the server may know the token
 * @property user the email that it was sent for
 */
internal class Registration(
    val token: String,
    val language: String?,
    var user: String? = null,
    var sent: Boolean = false,
    var answeredAt: Long? = null,
)

internal class OpenedPush(val notificationId: String, val deviceToken: String?)

/** The stored state of the client: one JSON object, under one name. */
internal class Stored {
    var device: String? = null
    var installedAt: Long? = null
    var heartbeatAt: Long? = null
    var restored = false

    /** The id that the server gave to the last restored link. It repeats an answer for some seconds. */
    var restoredId: String? = null
    var consent: Boolean? = null
    var waiting: List<Waiting> = emptyList()
    var unresolved: Unresolved? = null
    var push: Registration? = null
    var unregister: List<String> = emptyList()
    var opened: List<OpenedPush> = emptyList()

    /** True if nothing is left of the device or the person. */
    val isEmpty: Boolean get() = device == null && unregister.isEmpty() && push == null && waiting.isEmpty()

    fun toJson(): JSONObject = JSONObject()
        .put("device", device)
        .put("installedAt", installedAt)
        .put("heartbeatAt", heartbeatAt)
        .put("restored", restored)
        .put("restoredId", restoredId)
        .put("consent", consent)
        .put("waiting", array(waiting) { it.link.toJson().put("at", it.at).put("deliveries", it.deliveries) })
        .put("unresolved", unresolved?.let { JSONObject().put("url", it.url).put("at", it.at) })
        .put("push", push?.toJson())
        .put("unregister", array(unregister) { it })
        .put("opened", array(opened) { it.toJson() })

    companion object {
        /** Reads what was stored. Each field that cannot be read counts as none. */
        fun read(text: String?): Stored {
            val json = text?.let(::objectOf) ?: JSONObject()
            return Stored().apply {
                device = json.text("device")
                installedAt = json.number("installedAt")
                heartbeatAt = json.number("heartbeatAt")
                restored = json.opt("restored") == true
                restoredId = json.text("restoredId")
                consent = json.opt("consent") as? Boolean
                waiting = json.objects("waiting").mapNotNull(::waitingOf).takeLast(MAX_WAITING)
                unresolved = json.objectOrEmpty("unresolved").let {
                    Unresolved(it.text("url") ?: return@let null, it.number("at") ?: return@let null)
                }
                push = json.objectOrEmpty("push").let(::registrationOf)
                unregister = json.texts("unregister")
                opened = json.objects("opened").mapNotNull(::openedPushOf).takeLast(MAX_OPENED)
            }
        }

        const val MAX_WAITING = 5
        const val MAX_OPENED = 20
    }
}

private fun <T> array(items: List<T>, json: (T) -> Any): JSONArray =
    JSONArray().apply { items.forEach { put(json(it)) } }

private fun waitingOf(json: JSONObject): Waiting? {
    val link = Link.readStored(json) ?: return null
    return Waiting(link, json.number("at") ?: return null, json.number("deliveries")?.toInt() ?: 0)
}

private fun Registration.toJson() = JSONObject()
    .put("token", token)
    .put("language", language)
    .put("user", user)
    .put("sent", sent)
    .put("answeredAt", answeredAt)

private fun registrationOf(json: JSONObject): Registration? {
    val token = json.text("token") ?: return null
    val answeredAt = json.number("answeredAt")
    return Registration(token, json.text("language"), json.text("user"), json.opt("sent") == true, answeredAt)
}

internal fun OpenedPush.toJson(): JSONObject =
    JSONObject().put("notificationId", notificationId).put("deviceToken", deviceToken)

private fun openedPushOf(json: JSONObject): OpenedPush? =
    json.text("notificationId")?.let { OpenedPush(it, json.text("deviceToken")) }
