package dev.landfall

import dev.landfall.parts.Runtime
import java.io.IOException
import java.net.URI
import java.net.URLDecoder
import java.time.Instant
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestScope
import org.json.JSONArray
import org.json.JSONObject

/** The phone of a story: an app with a client, a storage, a network, and a clock that goes on only when the story says so. */
internal class Phone(private val scope: TestScope, story: JSONObject) {
    private var clock = Instant.parse(story.getString("now")).toEpochMilli()
    private var device = story.getJSONObject("device")
    private var options = story.optJSONObject("configure") ?: JSONObject()
    private var ids = 0

    var stored: String? = story.opt("storage") as? String
        private set
    val requests = ArrayDeque<Asked>()
    val problems = ArrayDeque<String>()
    val starts = ArrayDeque<Deferred<Link?>>()
    val links = ArrayDeque<Link>()
    var lastLink: Link? = null
        private set
    val calls = ArrayDeque<Deferred<Result<Any?>>>()
    lateinit var client: LandfallClient
        private set

    init {
        run()
    }

    private val now get() = clock + scope.testScheduler.currentTime

    private fun run() {
        val dispatcher = StandardTestDispatcher(scope.testScheduler)
        val runtime = Runtime(dispatcher, dispatcher, { now }, { "11111111-1111-4111-8111-11111111111${++ids}" })
        val storage = object : Storage {
            override fun read() = stored
            override fun write(value: String?) {
                stored = value
            }
        }
        client = LandfallClient(optionsOf(), TestDevice(device), storage, ::send, runtime)
        client.onLink {
            links.addLast(it)
            lastLink = it
        }
    }

    private fun optionsOf() = Options(
        url = "https://api.example",
        key = options.optString("key", KEY),
        hosts = options.getJSONArray("hosts").map { it as String },
        consent = if (options.opt("consent") == "required") Consent.REQUIRED else Consent.NOT_REQUIRED,
        clipboard = options.optBoolean("clipboard"),
        ipv6Url = options.opt("ipv6Url") as? String,
        onProblem = { problems.addLast(it) },
    )

    val key: String get() = options.optString("key", KEY)

    private suspend fun send(request: Request): Response {
        val asked = Asked(request)
        requests.addLast(asked)
        return asked.answer.await()
    }

    fun call(block: suspend () -> Any?) {
        calls.addLast(scope.async { runCatching { block() } })
    }

    fun kill(change: JSONObject) {
        client.close()
        device = merged(device, change.optJSONObject("device"))
        options = merged(options, change.optJSONObject("configure"))
        clock += change.optLong("clock")
        starts.clear()
        run()
    }

    private companion object {
        const val KEY = "ol_00000000000000000000000000000001"
    }
}

/** A request that the client has sent. */
internal class Asked(val request: Request) {
    val answer = CompletableDeferred<Response>()
    private val uri = URI(request.url)
    val name = "${request.method} ${uri.path}"
    val host: String = uri.host
    val query = uri.rawQuery.orEmpty().split('&').filter(String::isNotEmpty)
        .associate { it.substringBefore('=') to URLDecoder.decode(it.substringAfter('='), "UTF-8") }
    val body = request.body?.let { JSONObject(it).toMap() }

    fun answer(answer: JSONObject) {
        val headers = answer.optJSONObject("headers")?.toMap().orEmpty().mapValues { it.value.toString() }
        val text = answer.opt("json")?.toString() ?: answer.getString("text")
        this.answer.complete(Response(answer.getInt("status"), headers, text))
    }

    fun fail() {
        answer.completeExceptionally(IOException("no network"))
    }
}

/** The system of a story. */
private class TestDevice(private val told: JSONObject) : Device {
    override val platform: String get() = told.getString("platform")
    override val client get() = "test/1.0.0"
    override val osVersion get() = text("osVersion")
    override val model get() = text("model")
    override val language get() = text("language")
    override val appVersion get() = text("appVersion")
    override val id get() = text("id")
    override val appId get() = text("appId")
    override val installedAt get() = text("installedAt")?.let { Instant.parse(it).toEpochMilli() }
    override val certificates get() = told.optJSONArray("certificates")?.map { it as String }

    override fun opens(host: String) = told.optJSONArray("opens")?.contains(host)

    override suspend fun clipboard() = late("clipboard")

    override suspend fun installReferrer() = late("installReferrer")

    private suspend fun late(name: String): String? {
        val late = told.opt(name) as? JSONObject ?: return text(name)
        delay(late.getLong("afterMs"))
        return late.getString("value")
    }

    private fun text(name: String) = told.opt(name) as? String
}

internal fun merged(base: JSONObject, change: JSONObject?): JSONObject =
    JSONObject(base.toMap() + change?.toMap().orEmpty())

/** Puts the objects of `values.json` in the place of their names. */
internal fun resolved(value: Any?, values: JSONObject): Any? = when (value) {
    is JSONArray -> JSONArray(value.map { resolved(it, values) })
    is JSONObject -> {
        val own = JSONObject()
        for (name in value.keySet()) if (name != "$") own.put(name, resolved(value.get(name), values))
        val base = (value.opt("$") as? String)?.let { resolved(values.getJSONObject(it), values) as JSONObject }
        if (base == null) own else JSONObject(base, *base.keySet().toTypedArray()).apply { own.keySet().forEach { put(it, own.get(it)) } }
    }
    else -> value
}
