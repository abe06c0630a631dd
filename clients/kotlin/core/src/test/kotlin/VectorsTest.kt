package dev.landfall

import java.io.File
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import org.json.JSONObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.TestFactory

private val folder = File(System.getProperty("vectors"))

/** Replays the stories that all clients have in common. */
@OptIn(ExperimentalCoroutinesApi::class)
class VectorsTest {
    @TestFactory
    fun vectors(): List<DynamicTest> {
        val values = JSONObject(File(folder, "values.json").readText())
        val files = folder.listFiles { file -> file.extension == "json" && file.name != "values.json" }!!.sorted()
        assertTrue(files.size >= 40, "There are ${files.size} vectors.")
        return files.map { file ->
            DynamicTest.dynamicTest(file.nameWithoutExtension) { replay(resolved(JSONObject(file.readText()), values) as JSONObject) }
        }
    }

    private fun replay(story: JSONObject) = runTest {
        val phone = Phone(this, story)
        val named = mutableMapOf<String, Asked>()
        runCurrent()
        story.getJSONArray("steps").forEachIndexed { index, step ->
            step as JSONObject
            try {
                if (step.has("wait")) advanceTimeBy(step.getLong("wait")) else play(step, phone, named)
                runCurrent()
            } catch (e: Throwable) {
                throw AssertionError("Step $index $step: ${e.message}; problems: ${phone.problems}", e)
            }
        }
        assertEquals(emptyList<String>(), phone.requests.map { it.name }, "requests that are left")
        assertEquals(emptyList<Any>(), phone.links.map { it.toString() }, "links that are left")
        phone.client.close()
    }

    private fun play(step: JSONObject, phone: Phone, named: MutableMap<String, Asked>) {
        val client = phone.client
        when (STEPS.first(step::has)) {
            "start" -> phone.starts.addLast(client.start(step.getJSONObject("start").text("initialLink")))
            "open" -> assertEquals(step.opt("ours") ?: true, client.open(step.getString("open")), "ours")
            "request" -> takeRequest(step, phone, named)
            "started" -> {
                val start = phone.starts.removeFirst()
                assertTrue(start.isCompleted, "start() has not returned")
                assertEquals(plain(step.get("started")), start.getCompleted()?.let(::plainLink))
            }
            "starting" -> assertFalse(phone.starts.first().isCompleted, "start() has returned")
            "link" -> assertEquals(plain(step.get("link")), phone.links.removeFirstOrNull()?.let(::plainLink))
            "handled" -> phone.lastLink!!.handled()
            "kill" -> {
                assertEquals(emptyList<String>(), phone.requests.map { it.name }, "requests before the end")
                phone.kill(step.getJSONObject("kill"))
            }
            "consent" -> client.consent(step.getBoolean("consent"))
            "identify" -> client.identify(step.optJSONObject("identify")?.let { User(it.getString("email"), it.text("token")) })
            "register" -> client.push.register(step.getString("register"), step.optJSONObject("options")?.text("language"))
            "unregister" -> client.push.unregister()
            "forget" -> client.forget()
            "opened" -> {
                val data = step.getJSONObject("opened").run { keySet().associateWith { get(it) } }
                assertEquals(plain(step.get("returns")), client.push.opened(data)?.let(::plainLink))
            }
            "resolve" -> phone.call { client.resolve(step.getString("resolve"))?.let(::plainLink) }
            "create" -> phone.call {
                val input = step.getJSONObject("create")
                client.create(input.getString("destination"), input.optJSONObject("metadata")?.toMap()).let {
                    mapOf("id" to it.id, "slug" to it.slug, "url" to it.url, "destination" to it.destination, "metadata" to it.metadata.toMap())
                }
            }
            "diagnose" -> phone.call { client.diagnose() }
            "returned" -> assertEquals(plain(step.get("returned")), phone.calls.removeFirst().getCompleted().getOrThrow())
            "threw" -> {
                val thrown = phone.calls.removeFirst().getCompleted().exceptionOrNull() as LandfallException
                val seen = mapOf("code" to thrown.code, "status" to thrown.status, "retryAfterSeconds" to thrown.retryAfterSeconds)
                assertEquals(plain(step.get("threw")), plain(JSONObject(seen)))
            }
            "findings" -> {
                @Suppress("UNCHECKED_CAST")
                val findings = phone.calls.removeFirst().getCompleted().getOrThrow() as List<Finding>
                val expected = step.getJSONArray("findings").map { it as JSONObject }
                assertEquals(expected.map { it.getString("check") to it.get("passed").takeIf { it is Boolean } }, findings.map { it.check to it.passed })
                for (it in findings) assertTrue(it.detail.isNotBlank() && (it.passed == true) == (it.fix == null), it.toString())
            }
            "stored" -> {
                val stored = JSONObject(phone.stored!!).toMap()
                for ((name, expected) in step.getJSONObject("stored").toMap()) assertEquals(expected, stored[name], name)
            }
            "problem" -> {
                val word = step.getString("problem")
                assertTrue(phone.problems.removeFirst().contains(word), "no sentence with $word")
            }
            "answer" -> named.getValue(step.getString("answer")).answer(step.getJSONObject("with"))
            "fault" -> named.getValue(step.getString("fault")).fail()
        }
    }

    private fun takeRequest(step: JSONObject, phone: Phone, named: MutableMap<String, Asked>) {
        val asked = phone.requests.removeFirstOrNull() ?: throw AssertionError("There was no request.")
        assertEquals(step.getString("request"), asked.name)
        assertEquals(step.optString("host", "api.example"), asked.host, "host")
        assertEquals(plain(step.opt("query")) ?: emptyMap<String, String>(), asked.query, "query")
        assertEquals(plain(step.opt("body")), asked.body, "body")
        val headers = asked.request.headers.mapKeys { it.key.lowercase() }
        for ((name, value) in step.optJSONObject("headers")?.toMap().orEmpty()) assertEquals(value, headers[name], name)
        assertEquals(if (step.opt("key") == false) null else phone.key, headers["x-service-sdk-key"], "key")
        assertTrue("user-agent" !in headers, "The client has set a user agent.")
        when {
            step.has("as") -> named[step.getString("as")] = asked
            step.has("fault") -> asked.fail()
            else -> asked.answer(step.getJSONObject("answer"))
        }
    }
}

/** The word of a step that says what it is. `answer` and `fault` stand last: a request has them, too. */
private val STEPS = setOf(
    "start", "open", "request", "started", "starting", "link", "handled", "kill", "consent", "identify", "register",
    "unregister", "forget", "opened", "resolve", "create", "diagnose", "returned", "threw", "findings", "stored", "problem", "answer", "fault",
)

private fun JSONObject.text(name: String) = opt(name) as? String

/** JSON without nulls, to compare it. */
private fun plain(value: Any?): Any? = (value as? JSONObject)?.toMap()?.filterValues { it != null }

private fun plainLink(link: Link): Any? = plain(link.toJson().put("path", link.path).put("sure", link.sure))
