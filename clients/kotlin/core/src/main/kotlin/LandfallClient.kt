package dev.landfall

import dev.landfall.parts.Answer
import dev.landfall.parts.Api
import dev.landfall.parts.Deliveries
import dev.landfall.parts.Diagnosis
import dev.landfall.parts.OpenedLinks
import dev.landfall.parts.Pushes
import dev.landfall.parts.Runtime
import dev.landfall.parts.Session
import dev.landfall.parts.Starts
import dev.landfall.parts.addressOf
import dev.landfall.parts.objectOrEmpty
import dev.landfall.parts.text
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.json.JSONObject

/**
 * A client of Landfall. Make one for each run of the app. All functions may be called on any thread. Only those that
 * suspend wait for the network.
 */
public class LandfallClient internal constructor(
    private val options: Options,
    device: Device,
    storage: Storage,
    transport: Transport,
    private val runtime: Runtime,
) {
    private val session = Session(options, device, storage, runtime)
    private val api = Api(session, transport)
    private val deliveries = Deliveries(session)
    private val opened = OpenedLinks(session, api, deliveries)
    private val pushes = Pushes(session, api)
    private val starts = Starts(session, api, deliveries, opened, pushes)

    /** The registration for pushes. */
    public val push: Push = Push(session, pushes)

    /** The last link that was delivered in this run. */
    public val lastLink: Link? get() = deliveries.last

    /**
     * The first thing that an app calls. It sends a heartbeat, and asks for the link that was tapped before the install.
     * A second call returns the result of the first.
     *
     * @param initialLink the URL that opened the app, if there is one
     * @return the first link of this start, or none. It is there after 3 s at most, and never fails
     */
    public fun start(initialLink: String? = null): Deferred<Link?> = starts.start(initialLink)

    /**
     * Gives each link to a listener, once. Links that came while nobody listened wait for it.
     *
     * @return ends the listener
     */
    public fun onLink(listener: (Link) -> Unit): () -> Unit = deliveries.listen(listener)

    /**
     * Takes a URL that reached the app, and delivers its link.
     *
     * @return whether the URL is a link of the app
     */
    public fun open(url: String): Boolean {
        if (!isOurs(url)) return false
        session.launch { opened.take(url) }
        return true
    }

    /** Says whether a URL is a link of the app: a host of [Options.hosts], and a path that is more than `/`. */
    public fun isOurs(url: String): Boolean = options.addressOf(url) != null

    /**
     * Asks what a link says, and delivers nothing.
     *
     * @return none if there is no such link
     * @throws LandfallException if there was no answer, or a refusal
     */
    public suspend fun resolve(url: String): Link? = withContext(runtime.worker) {
        val address = options.addressOf(url) ?: return@withContext null
        requireConsent()
        val answer = opened.lookUp(address)
        if (answer is Answer.Refusal && answer.status == 404) null else OpenedLinks.linkOf(successOf(answer))
    }

    /**
     * Makes a link.
     *
     * @param destination a path of the app with its query: `/invite?code=7`
     * @param metadata values for the app, and those that analytics counts by
     * @throws LandfallException if there was no answer, or a refusal
     */
    public suspend fun create(destination: String, metadata: Map<String, Any?>? = null): CreatedLink =
        withContext(runtime.worker) {
            requireConsent()
            val body = JSONObject().put("destination", destination).put("metadata", metadata?.let { JSONObject(it) })
            val link = successOf(api.post("/api/links/create-sdk", body)).json.objectOrEmpty("link")
            fun field(name: String) = link.text(name) ?: throw noAnswer()
            CreatedLink(field("id"), field("slug"), field("url"), field("destination"), link.objectOrEmpty("metadata"))
        }

    /** Names the user who is signed in, or none. Call it at each start. The client does not store the user. */
    public fun identify(user: User?) {
        session.launch {
            session.user = user
            session.userIsKnown = true
            starts.identify()
        }
    }

    /** Allows or forbids to send. The client remembers it. Without consent the device is unregistered, too. */
    public fun consent(on: Boolean) {
        session.launch {
            session.stored.consent = on
            if (!on) return@launch starts.withdraw()
            session.save()
            starts.consent()
        }
    }

    /** Checks the set-up of the app. It never throws. A person may read it in a debug build. */
    public suspend fun diagnose(): List<Finding> = withContext(runtime.worker) { Diagnosis(session, api).run() }

    /** Deletes everything that the client stored, and unregisters the device. */
    public fun forget() {
        session.launch {
            val stored = session.stored
            val tokens = (stored.unregister + listOfNotNull(stored.push?.takeIf { it.sent }?.token)).distinct()
            session.forget(tokens)
            session.end()
            starts.forget()
            pushes.forget(tokens)
        }
    }

    /** Ends the client, as the end of the app does. */
    internal fun close(): Unit = session.end()

    private fun requireConsent() {
        if (!session.mayReport) throw LandfallException("NO_CONSENT", "The person has not agreed. Call consent(true) first.")
    }

    private fun successOf(answer: Answer): Answer.Success = when (answer) {
        is Answer.Success -> answer
        is Answer.Refusal -> throw LandfallException(answer.code, answer.sentence, answer.status, answer.retryAfterSeconds)
        is Answer.None -> throw noAnswer()
    }

    private fun noAnswer() = LandfallException("NO_ANSWER", "${options.url} did not answer.")

    public companion object {
        /**
         * Makes a client. It sends nothing before [start].
         *
         * @param listeners where listeners are called, one at a time
         */
        public fun configure(
            options: Options,
            device: Device,
            storage: Storage,
            transport: Transport = HttpTransport(),
            listeners: CoroutineDispatcher = Dispatchers.Default,
        ): LandfallClient = LandfallClient(options, device, storage, transport, Runtime(listeners = listeners))
    }
}
