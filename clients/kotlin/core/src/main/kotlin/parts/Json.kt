package dev.landfall.parts

import org.json.JSONArray
import org.json.JSONObject
import org.json.JSONTokener

// Only calls that the org.json of Android has, too. Its `optString` makes "null" of a null, so nothing here uses it.

internal fun JSONObject.text(name: String): String? = opt(name) as? String

internal fun JSONObject.objectOrEmpty(name: String): JSONObject = opt(name) as? JSONObject ?: JSONObject()

internal fun JSONObject.number(name: String): Long? = (opt(name) as? Number)?.toLong()

internal fun JSONObject.list(name: String): List<Any?> {
    val array = opt(name) as? JSONArray ?: return emptyList()
    return (0 until array.length()).map(array::opt)
}

internal fun JSONObject.objects(name: String): List<JSONObject> = list(name).filterIsInstance<JSONObject>()

internal fun JSONObject.texts(name: String): List<String> = list(name).filterIsInstance<String>()

/** Reads an object. None for every other text, also for one that is nested so deep that the parser gives up. */
internal fun objectOf(text: String): JSONObject? = try {
    JSONTokener(text).nextValue() as? JSONObject
} catch (_: Exception) {
    null
} catch (_: StackOverflowError) {
    null
}
