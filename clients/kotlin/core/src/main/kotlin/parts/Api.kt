package dev.landfall.parts

import dev.landfall.Request
import dev.landfall.Response
import dev.landfall.Transport
import java.net.URLEncoder
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.delay
import kotlinx.coroutines.withTimeoutOrNull
import org.json.JSONObject

/** The outcome of a request. */
internal sealed class Answer {
    class Success(val json: JSONObject) : Answer()

    class Refusal(val status: Int, val json: JSONObject, val retryAfterSeconds: Int?) : Answer() {
        val code: String get() = json.text("code") ?: "HTTP_$status"
        val sentence: String get() = json.text("error") ?: "The server answered with $status."
    }

    /** A network fault, a time-out, 5xx, or the page of a captive portal. */
    object None : Answer()
}

/** Sends requests, and says which answers count. */
internal class Api(private val session: Session, private val transport: Transport) {
    private val told401 = mutableSetOf<String>()

    suspend fun get(
        path: String,
        query: Map<String, String>,
        withKey: Boolean = true,
        origin: String = session.options.url,
    ): Answer {
        val text = query.entries.joinToString("&") { (name, value) -> "$name=${URLEncoder.encode(value, "UTF-8")}" }
        return send("GET", "$origin$path?$text", null, withKey)
    }

    suspend fun post(path: String, body: JSONObject): Answer =
        send("POST", session.options.url + path, body.toString(), withKey = true)

    private suspend fun send(method: String, url: String, body: String?, withKey: Boolean): Answer {
        val headers = buildMap {
            put("x-landfall-client", session.device.client)
            told { session.device.appVersion }?.let { put("x-app-version", it) }
            if (withKey) put("x-service-sdk-key", session.options.key)
            if (body != null) put("content-type", "application/json")
        }
        val response = try {
            withTimeoutOrNull(TIMEOUT_MS) { transport.send(Request(method, url, headers, body)) }
        } catch (e: CancellationException) {
            throw e
        } catch (_: Exception) {
            null
        }
        return (response?.let(::answerOf) ?: Answer.None).also(::tellOf401)
    }

    /** Tells each fault once in a run. An identity token that is not valid says nothing of the key. */
    private fun tellOf401(answer: Answer) {
        if (answer !is Answer.Refusal || answer.status != 401) return
        val sentence = if (answer.code == "IDENTITY_TOKEN_INVALID") TOKEN_REFUSED else KEY_REFUSED
        if (told401.add(sentence)) session.problem(sentence)
    }

    companion object {
        private const val TIMEOUT_MS = 15_000L
        private const val KEY_REFUSED = "The key is unknown, revoked, or a server key. Copy a mobile key from the page Keys of your app."
        private const val TOKEN_REFUSED = "The identity token of identify() is not valid. Ask your backend for a new one at each start."
        private val WAITS_MS = listOf(2_000L, 8_000L)

        /** Asks up to three times, until there is an answer. */
        suspend fun untilAnswered(ask: suspend () -> Answer): Answer {
            for (wait in WAITS_MS) {
                val answer = ask()
                if (answer !is Answer.None) return answer
                delay(wait)
            }
            return ask()
        }
    }
}

private fun answerOf(response: Response): Answer {
    val json = objectOf(response.body) ?: return Answer.None
    return when (response.status) {
        200 -> if (json.opt("success") == true) Answer.Success(json) else Answer.None
        in 400..499 -> Answer.Refusal(response.status, json, response.headers["retry-after"]?.toIntOrNull())
        else -> Answer.None
    }
}
