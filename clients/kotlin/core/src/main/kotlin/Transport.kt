package dev.landfall

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.suspendCancellableCoroutine

/** A request of the client. */
public class Request internal constructor(
    public val method: String,
    public val url: String,
    public val headers: Map<String, String>,
    public val body: String?,
)

/**
 * An answer to a request.
 *
 * @property headers names are in lower case
 */
public class Response(public val status: Int, public val headers: Map<String, String>, public val body: String)

/** Sends requests. An app replaces it to use its own HTTP stack. It must not set a user agent. */
public fun interface Transport {
    /** Throws an [IOException] if there is no answer. Ends the request when the coroutine is cancelled. */
    public suspend fun send(request: Request): Response
}

/** Sends with the HTTP stack of the system, so the user agent is the system's own. */
public class HttpTransport : Transport {
    override suspend fun send(request: Request): Response = suspendCancellableCoroutine { continuation ->
        val connection = try {
            URL(request.url).openConnection() as HttpURLConnection
        } catch (e: IOException) {
            return@suspendCancellableCoroutine continuation.resumeWithException(e)
        }
        // A read that waits for the network does not notice that its thread is interrupted, but that its socket is closed.
        continuation.invokeOnCancellation { threads.execute { connection.disconnect() } }
        threads.execute {
            val response = runCatching { exchange(connection, request) }
            connection.disconnect()
            response.fold(continuation::resume, continuation::resumeWithException)
        }
    }
}

private val threads = Dispatchers.IO.asExecutor()
private const val TIMEOUT_MS = 15_000
private const val MAX_BYTES = 1 shl 20

private fun exchange(connection: HttpURLConnection, request: Request): Response {
    connection.requestMethod = request.method
    connection.connectTimeout = TIMEOUT_MS
    connection.readTimeout = TIMEOUT_MS
    connection.useCaches = false
    // The key goes to no other server.
    connection.instanceFollowRedirects = false
    for ((name, value) in request.headers) connection.setRequestProperty(name, value)
    if (request.body != null) {
        connection.doOutput = true
        connection.outputStream.use { it.write(request.body.toByteArray()) }
    }
    val status = connection.responseCode
    val headers = connection.headerFields.entries.filter { it.key != null }
        .associate { it.key.lowercase() to it.value.joinToString(", ") }
    val stream = if (status < 400) connection.inputStream else connection.errorStream
    return Response(status, headers, stream?.use(::readText).orEmpty())
}

private fun readText(stream: java.io.InputStream): String {
    val text = ByteArrayOutputStream()
    val buffer = ByteArray(8_192)
    while (true) {
        val count = stream.read(buffer)
        if (count < 0) return text.toString("UTF-8")
        text.write(buffer, 0, count)
        // A captive portal may send without an end.
        if (text.size() > MAX_BYTES) throw IOException("The answer is longer than 1 MB.")
    }
}
