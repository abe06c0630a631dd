package dev.landfall.android

import android.content.Context
import android.content.Intent
import android.os.Handler
import android.os.Looper
import dev.landfall.CreatedLink
import dev.landfall.Finding
import dev.landfall.HttpTransport
import dev.landfall.LandfallClient
import dev.landfall.LandfallException
import dev.landfall.Link
import dev.landfall.Options
import dev.landfall.Push
import dev.landfall.Transport
import dev.landfall.User
import java.util.concurrent.Executor
import java.util.concurrent.atomic.AtomicBoolean
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.asCoroutineDispatcher

/** Landfall of an Android app. Call [configure] in `Application.onCreate`. Listeners are called on the main thread. */
public object Landfall {
    @Volatile
    private var configured: LandfallClient? = null
    private val isStarted = AtomicBoolean()

    /** The client. Throws if [configure] was not called. */
    public val client: LandfallClient
        get() = configured ?: error("Call Landfall.configure(context, options) in Application.onCreate first.")

    /** Makes the client. It sends nothing, and reads nothing from the disk. */
    @JvmStatic
    @JvmOverloads
    public fun configure(context: Context, options: Options, transport: Transport = HttpTransport()) {
        val app = context.applicationContext ?: context
        val main = Handler(Looper.getMainLooper())
        val listeners = Executor { main.post(it) }.asCoroutineDispatcher()
        configured = LandfallClient.configure(options, AndroidDevice(app), PreferencesStorage(app), transport, listeners)
        isStarted.set(false)
    }

    /**
     * The first thing that an activity calls: heartbeat, then restore. Its link also reaches [onLink].
     *
     * @param intent the intent of the activity. None if the activity is made again (`savedInstanceState != null`)
     * @return the first link of this start, or none. It is there after 3 s at most, and never fails
     */
    @JvmStatic
    @JvmOverloads
    public fun start(intent: Intent? = null): Deferred<Link?> {
        // A later activity of the same run was opened by a link of its own.
        if (isStarted.getAndSet(true)) intent?.let(::handleIntent)
        return client.start(intent?.link())
    }

    /**
     * Takes the intent of `onNewIntent`.
     *
     * @return whether it has a link of the app. The link reaches [onLink]
     */
    @JvmStatic
    public fun handleIntent(intent: Intent): Boolean = intent.link()?.let(client::open) ?: false

    /** Reports a push that the person tapped, and returns its link. None if the intent is of no push, or of another service. */
    @JvmStatic
    public fun pushOpened(intent: Intent): Link? = push.opened(intent.pushData())

    /** @see LandfallClient.onLink */
    @JvmStatic
    public fun onLink(listener: (Link) -> Unit): () -> Unit = client.onLink(listener)

    /** @see LandfallClient.lastLink */
    @JvmStatic
    public val lastLink: Link? get() = client.lastLink

    /** @see LandfallClient.push */
    @JvmStatic
    public val push: Push get() = client.push

    /** @see LandfallClient.open */
    @JvmStatic
    public fun open(url: String): Boolean = client.open(url)

    /** @see LandfallClient.isOurs */
    @JvmStatic
    public fun isOurs(url: String): Boolean = client.isOurs(url)

    /**
     * @see LandfallClient.resolve
     * @throws LandfallException if there was no answer, or a refusal
     */
    public suspend fun resolve(url: String): Link? = client.resolve(url)

    /**
     * @see LandfallClient.create
     * @throws LandfallException if there was no answer, or a refusal
     */
    public suspend fun create(destination: String, metadata: Map<String, Any?>? = null): CreatedLink =
        client.create(destination, metadata)

    /** @see LandfallClient.identify */
    @JvmStatic
    public fun identify(user: User?): Unit = client.identify(user)

    /** @see LandfallClient.consent */
    @JvmStatic
    public fun consent(on: Boolean): Unit = client.consent(on)

    /** @see LandfallClient.diagnose */
    public suspend fun diagnose(): List<Finding> = client.diagnose()

    /** @see LandfallClient.forget */
    @JvmStatic
    public fun forget(): Unit = client.forget()
}
