package dev.landfall

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.util.UUID
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable

/**
 * Runs against a gateway: LANDFALL_URL is the API, LANDFALL_KEY a mobile key, LANDFALL_HOST a host of links with its port.
 * The gateway must believe `X-Forwarded-For` of this machine.
 */
@EnabledIfEnvironmentVariable(named = "LANDFALL_URL", matches = ".+")
class GatewayTest {
    private val url = env("LANDFALL_URL")
    private val host = env("LANDFALL_HOST")
    private val address = "198.18.${(0..255).random()}.${(1..254).random()}"
    private val stored = MutableStateFlow<String?>(null)
    private var isOffline = false

    private val http = HttpTransport()
    private val network = Transport { request ->
        if (isOffline) throw IOException("offline")
        http.send(Request(request.method, request.url, request.headers + ("x-forwarded-for" to address), request.body))
    }
    private val storage = object : Storage {
        override fun read() = stored.value
        override fun write(value: String?) {
            stored.value = value
        }
    }
    private val device = object : Device {
        override val platform = "android"
        override val osVersion = "14"
        override val model = "Pixel 8"
        override val id = UUID.randomUUID().toString()
    }

    private fun client() =
        LandfallClient.configure(Options(url, env("LANDFALL_KEY"), listOf(host), onProblem = {}), device, storage, network)

    /** A person at [address] taps the link in a browser. */
    private fun tap(link: String) {
        // The host of a link may have no record. The API and the link hosts are one server.
        val connection = URL(url + URL(link).file).openConnection() as HttpURLConnection
        connection.instanceFollowRedirects = false
        val headers = mapOf("Host" to host, "x-forwarded-for" to address, "user-agent" to CHROME)
        headers.forEach(connection::setRequestProperty)
        assertTrue(connection.responseCode in 200..399, "The tap got ${connection.responseCode}.")
    }

    @Test
    fun `the first start finds the tapped link, also when it was offline before, and the next one nothing`(): Unit = runBlocking {
        val link = client().create("/invite?code=7", mapOf("campaign" to "spring"))
        tap(link.url)

        isOffline = true
        val offline = client()
        assertNull(offline.start().await())
        offline.close()

        isOffline = false
        val found = client().start().await()!!
        assertEquals(listOf("/invite?code=7", Via.DEFERRED, Match.ADDRESS, false), listOf(found.destination, found.via, found.match, found.sure))
        assertEquals("spring", found.metadata.getString("campaign"))
        found.handled()
        stored.first { "/invite" !in it!! }

        // A lost answer must not lose the link, so the server repeats it for 15 s. The client knows that it had this one.
        assertNull(client().start().await())
        assertEquals("/invite?code=7", client().start(link.url).await()?.destination)
    }
}

private const val CHROME = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36"

private fun env(name: String) = System.getenv(name) ?: ""
