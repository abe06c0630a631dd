package dev.landfall

import kotlin.random.Random
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import org.json.JSONArray
import org.json.JSONObject
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Answers and stored values that make no sense. `-Dseed=N` repeats a run. */
@OptIn(ExperimentalCoroutinesApi::class)
class FuzzTest {
    @Test
    fun `200 answers that make no sense break nothing`() {
        val seed = System.getProperty("seed")?.toLong() ?: System.nanoTime()
        println("FuzzTest: seed $seed")
        val random = Random(seed)
        var answers = 0
        while (answers < 200) answers += runOnce(random, "seed $seed, answer $answers")
    }

    /** One run of an app. Returns how many answers it has got. */
    private fun runOnce(random: Random, name: String): Int {
        var answers = 0
        runTest {
            val story = JSONObject(STORY).put("storage", if (random.nextBoolean()) mangled(STORED, random) else STORED.toString())
            val phone = Phone(this, story)
            val client = phone.client
            val start = client.start()
            client.open("https://shop.links.example/a%zz")
            client.push.register("token")
            client.push.opened(mapOf("notificationId" to "n", "metadata" to mangled(STORED, random), "destinationPath" to "/a?%=%"))
            phone.call { client.resolve("https://shop.links.example/b") }
            phone.call { client.create("/a") }
            phone.call { client.diagnose() }
            repeat(SECONDS) {
                runCurrent()
                while (phone.requests.isNotEmpty()) {
                    phone.requests.removeFirst().answer(answerTo(random))
                    answers++
                    runCurrent()
                }
                if (it == 3) assertTrue(start.isCompleted, "$name: start() takes more than 3 s")
                advanceTimeBy(1_000)
            }
            for (call in phone.calls) {
                val thrown = call.getCompleted().exceptionOrNull()
                assertTrue(thrown == null || thrown is LandfallException, "$name: $thrown")
            }
            for (problem in phone.problems) assertFalse(problem.startsWith("The client has a fault"), "$name: $problem")
            client.close()
        }
        return answers
    }

    private fun answerTo(random: Random): JSONObject = JSONObject()
        .put("status", STATUSES.random(random))
        .put("headers", JSONObject().put("retry-after", listOf("1", "-1", "soon", "99999999999").random(random)))
        .put("text", mangled(ANSWERS.random(random), random))

    private fun mangled(json: JSONObject, random: Random): String {
        val text = changed(JSONObject(json.toString()), random).toString()
        return when (if (text.isEmpty()) -1 else random.nextInt(6)) {
            0 -> text.take(random.nextInt(text.length))
            1 -> "[".repeat(random.nextInt(100_000))
            2 -> text.replaceFirst(text.random(random), Char(random.nextInt(0xffff)))
            else -> text
        }
    }

    /** Puts other values in the place of some. */
    private fun changed(value: Any, random: Random): Any = when {
        random.nextInt(5) == 0 -> OTHERS.random(random)
        value is JSONObject -> value.apply { keySet().toList().forEach { put(it, changed(get(it), random)) } }
        value is JSONArray -> JSONArray(value.map { changed(it, random) })
        else -> value
    }
}

private const val SECONDS = 40
private val STATUSES = listOf(200, 200, 200, 200, 201, 204, 302, 400, 401, 403, 404, 429, 500, 503)
private val OTHERS = listOf(JSONObject.NULL, true, -1, 1e300, Long.MAX_VALUE, "", "/", "//x", "\u0000", "null", JSONArray(), JSONObject(), JSONArray("[[]]"))
private const val LINK = """{"id": "1", "slug": "a", "url": "https://x/a", "destination": "/a?b=1", "parameters": {"b": "1"}, "metadata": {"c": {}}, "matchType": "token", "pendingLinkId": "p"}"""
private val ANSWERS = listOf(
    """{"success": true, "isFirstLaunch": true}""",
    """{"success": true, "restoredLinks": [$LINK, $LINK], "count": 2}""",
    """{"success": true, "link": $LINK}""",
    """{"success": true, "app": {"hosts": ["a"], "android": {"package": "p", "certificates": ["00"]}}, "device": {"heartbeatSecondsAgo": 1, "restore": {"secondsAgo": 1, "found": 0, "why": "w"}}}""",
    """{"success": true, "addressToken": "t"}""",
    """{"error": "e", "code": "c"}""",
).map(::JSONObject)
private val STORED = JSONObject(
    """{"device": "d", "heartbeatAt": 1, "restored": false, "restoredId": "r", "consent": true, "waiting": [{"destination": "/a", "via": "direct", "match": "link", "at": 1795867199000, "deliveries": 1}],
    "unresolved": {"url": "https://shop.links.example/u", "at": 1795867199000}, "push": {"token": "t", "sent": true, "answeredAt": 1}, "unregister": ["u"], "opened": [{"notificationId": "n"}]}""",
)
private const val STORY = """{"now": "2026-11-28T12:00:00Z", "device": {"platform": "android", "certificates": ["00"], "appId": "p", "opens": []},
    "configure": {"hosts": ["shop.links.example"], "ipv6Url": "https://v6.api.example"}}"""
