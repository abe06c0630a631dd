package dev.landfall

import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import org.json.JSONObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Test

/** Rules that no vector tests. */
@OptIn(ExperimentalCoroutinesApi::class)
class RulesTest {
    private fun TestScope.phone(storage: String? = null, configure: String = "", device: String = "") = Phone(
        this,
        JSONObject("""{"now": "2026-11-28T12:00:00Z", "device": {"platform": "android"$device}, "configure": {"hosts": ["shop.links.example:8080"]$configure}}""")
            .put("storage", storage),
    )

    @Test
    fun `the version that requests name is that of the artefact`() {
        assertEquals(System.getProperty("project.version"), VERSION)
    }

    @Test
    fun `a URL is ours by its host and a path`() = runTest {
        val client = phone().client
        val ours = listOf("https://shop.links.example/a", "HTTP://SHOP.links.example:1/a?b#c", "https://shop.links.example/a b|c")
        val others = listOf("https://shop.links.example", "https://shop.links.example//", "https://shop.links.example@evil.example/a", "https://evil.example\\@shop.links.example/a", "https://xshop.links.example/a", "", "/a")
        assertEquals(ours to emptyList<String>(), (ours + others).filter(client::isOurs) to others.filter(client::isOurs))
    }

    @Test
    fun `a registration stays that of the user of the run before, until identify says otherwise`() = runTest {
        val phone = phone("""{"push": {"token": "t", "user": "ada@example.com", "sent": true, "answeredAt": 1795867199000}}""")
        phone.client.push.register("t")
        runCurrent()
        assertNull(phone.requests.removeFirstOrNull())
        phone.client.identify(null)
        runCurrent()
        assertEquals(mapOf("deviceToken" to "t", "platform" to "android"), phone.requests.removeFirst().body)
    }

    @Test
    fun `an object with 200 counts only if it says success`() = runTest {
        val phone = phone()
        phone.client.start()
        runCurrent()
        repeat(2) { phone.requests.removeFirst().answer(JSONObject("""{"status": 200, "json": {"restoredLinks": []}}""")) }
        runCurrent()
        assertEquals(listOf(null, false), JSONObject(phone.stored!!).run { listOf(opt("heartbeatAt"), opt("restored")) })
    }

    @Test
    fun `an identity token that is refused has a sentence of its own, once`() = runTest {
        val phone = phone()
        val refusal = JSONObject("""{"status": 401, "json": {"error": "no", "code": "IDENTITY_TOKEN_INVALID"}}""")
        phone.client.push.register("t")
        phone.client.start()
        runCurrent()
        repeat(2) { phone.requests.removeFirst().answer(refusal) }
        runCurrent()
        phone.requests.removeFirst().answer(JSONObject("""{"status": 401, "json": {"error": "no"}}"""))
        runCurrent()
        assertEquals(listOf("identity token", "key"), phone.problems.map { Regex("identity token|key").find(it)?.value })
    }

    @Test
    fun `a link that was found before the start is its link, and does not come again by a restore`() = runTest {
        val phone = phone()
        val link = """{"linkId": "1", "destination": "/a", "matchType": "address"}"""
        phone.client.open("https://shop.links.example/a")
        runCurrent()
        phone.requests.removeFirst().answer(JSONObject("""{"status": 200, "json": {"success": true, "link": $link}}"""))
        runCurrent()
        val start = phone.client.start()
        phone.client.identify(User("ada@example.com"))
        runCurrent()
        assertEquals("/a", start.getCompleted()?.destination)
        phone.requests.removeFirst().fail()
        phone.requests.removeFirst().answer(JSONObject("""{"status": 200, "json": {"success": true, "restoredLinks": [$link]}}"""))
        runCurrent()
        assertEquals(1, phone.links.size)
    }

    @Test
    fun `a late clipboard waits for the restore, and is not sent after a link was found`() = runTest {
        for ((links, requests) in listOf("""{"linkId": "1", "destination": "/a"}""" to 0, "" to 1)) {
            val late = """, "clipboard": {"afterMs": 1500, "value": "https://shop.links.example/a"}"""
            val phone = phone(configure = """, "clipboard": true""", device = late)
            phone.client.start()
            advanceTimeBy(2_000)
            runCurrent()
            val (heartbeat, restore) = List(2) { phone.requests.removeFirst() }
            heartbeat.fail()
            assertEquals(0, phone.requests.size)
            restore.answer(JSONObject("""{"status": 200, "json": {"success": true, "restoredLinks": [$links]}}"""))
            runCurrent()
            assertEquals(requests, phone.requests.size)
            phone.client.close()
        }
    }

    @Test
    fun `nothing is asked for an app without consent`() = runTest {
        val phone = phone(configure = """, "consent": "required"""")
        phone.call { phone.client.resolve("https://shop.links.example/a") }
        phone.call { phone.client.create("/a") }
        phone.call { phone.client.diagnose() }
        runCurrent()
        val codes = List(2) { (phone.calls.removeFirst().getCompleted().exceptionOrNull() as LandfallException).code }
        assertEquals(listOf("NO_CONSENT", "NO_CONSENT"), codes)
        @Suppress("UNCHECKED_CAST")
        assertNull((phone.calls.removeFirst().getCompleted().getOrThrow() as List<Finding>).first().passed)
        assertEquals(emptyList<Any>(), phone.requests.toList())
    }

    @Test
    fun `forget leaves nothing in the storage`() = runTest {
        val phone = phone()
        phone.client.push.register("t")
        runCurrent()
        phone.requests.removeFirst().fail()
        phone.client.forget()
        runCurrent()
        phone.requests.removeFirst().answer(JSONObject("""{"status": 200, "json": {"success": true}}"""))
        runCurrent()
        assertNull(phone.stored)
    }
}
