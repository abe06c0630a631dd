package dev.landfall

import com.sun.net.httpserver.HttpServer
import java.io.IOException
import java.net.InetSocketAddress
import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

class HttpTransportTest {
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply { start() }
    private val url = "http://127.0.0.1:${server.address.port}/api"
    private val transport = HttpTransport()

    @AfterEach
    fun stop() = server.stop(0)

    @Test
    fun `it sends method, headers and body, and reads a refusal`() {
        var seen = ""
        server.createContext("/api") { exchange ->
            seen = exchange.run { "$requestMethod ${requestHeaders.getFirst("x-a")} ${requestHeaders.getFirst("user-agent")} ${requestBody.reader().readText()}" }
            exchange.responseHeaders.add("Retry-After", "7")
            exchange.sendResponseHeaders(429, 3)
            exchange.responseBody.use { it.write("äx".toByteArray()) }
        }
        val response = runBlocking { transport.send(Request("POST", url, mapOf("x-a" to "1"), "ö")) }
        assertEquals("POST 1 Java/${System.getProperty("java.version")} ö", seen)
        assertEquals(listOf("429", "7", "äx"), listOf(response.status.toString(), response.headers["retry-after"], response.body))
    }

    @Test
    fun `the key goes along no redirect`() {
        server.createContext("/api") { exchange ->
            exchange.responseHeaders.add("Location", "/other")
            exchange.sendResponseHeaders(302, -1)
        }
        assertEquals(302, runBlocking { transport.send(Request("GET", url, emptyMap(), null)) }.status)
    }

    @Test
    fun `a request ends when it is cancelled, and without a server`() {
        val arrived = CountDownLatch(1)
        server.createContext("/api") { arrived.countDown() }
        runBlocking {
            val job = launch(kotlinx.coroutines.Dispatchers.Default) { transport.send(Request("GET", url, emptyMap(), null)) }
            arrived.await()
            job.cancelAndJoin()
            assertTrue(job.isCancelled)
        }
        server.stop(0)
        assertThrows(IOException::class.java) { runBlocking { transport.send(Request("GET", url, emptyMap(), null)) } }
    }

    @Test
    fun `an answer without an end is no answer`() {
        server.createContext("/api") { exchange ->
            exchange.sendResponseHeaders(200, 0)
            runCatching { exchange.responseBody.use { body -> repeat(200) { body.write(ByteArray(8_192)) } } }
        }
        assertThrows(IOException::class.java) { runBlocking { transport.send(Request("GET", url, emptyMap(), null)) } }
    }
}
