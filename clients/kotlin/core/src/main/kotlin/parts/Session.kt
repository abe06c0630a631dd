package dev.landfall.parts

import dev.landfall.Consent
import dev.landfall.Device
import dev.landfall.Options
import dev.landfall.Storage
import dev.landfall.User
import java.util.UUID
import kotlin.math.abs
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelChildren
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull

internal const val DAY = 24 * 60 * 60 * 1_000L
private const val MINUTE = 60 * 1_000L

/** Threads, clock and chance. Tests have their own. */
internal class Runtime(
    val worker: CoroutineDispatcher = Dispatchers.Default.limitedParallelism(1),
    val listeners: CoroutineDispatcher = Dispatchers.Default,
    val now: () -> Long = System::currentTimeMillis,
    val newId: () -> String = { UUID.randomUUID().toString() },
)

/**
 * What the parts of a client share. All of its state is used on [Runtime.worker] alone, which does one thing at a time.
 * So nothing here is locked.
 */
internal class Session(val options: Options, val device: Device, private val storage: Storage, val runtime: Runtime) {
    private val fault = CoroutineExceptionHandler { _, e -> problem("The client has a fault: $e") }
    private val scope = CoroutineScope(SupervisorJob() + runtime.worker + fault)

    /** Work that ends when the consent is withdrawn. */
    private val reports = SupervisorJob(scope.coroutineContext.job)

    /** The user of this run. */
    var user: User? = null

    /** True after the first call of `identify` in this run. */
    var userIsKnown = false

    private var loaded: Stored? = null
    val stored: Stored get() = loaded ?: load().also { loaded = it }

    val now: Long get() = runtime.now()

    val mayReport: Boolean get() = stored.consent ?: (options.consent == Consent.NOT_REQUIRED)

    /** A value of another install counts as none: a backup brought it, perhaps from another phone. */
    private fun load(): Stored {
        val stored = Stored.read(told { storage.read() })
        val installedAt = told { device.installedAt } ?: return stored
        val known = stored.installedAt
        val isOfThisInstall = known == null || abs(installedAt - known) <= MINUTE
        return (if (isOfThisInstall) stored else Stored()).also { it.installedAt = installedAt }
    }

    /** Stores what changed. Call it before anything that follows from the change. */
    fun save() {
        write(stored.toJson().toString())
    }

    /** Deletes all but what is still due. */
    fun forget(unregister: List<String>) {
        loaded = Stored().also { it.unregister = unregister }
        user = null
        if (unregister.isEmpty()) write(null) else save()
    }

    fun write(text: String?) {
        try {
            storage.write(text)
        } catch (e: Exception) {
            problem("The storage cannot be written: $e")
        }
    }

    /** The id of the device. It is stored before anybody sees it. */
    fun deviceId(): String {
        stored.device?.let { return it }
        val id = told { device.id } ?: runtime.newId()
        stored.device = id
        stored.installedAt = told { device.installedAt }
        save()
        return id
    }

    fun launch(work: suspend CoroutineScope.() -> Unit): Job = scope.launch(block = work)

    /** Launches what may only be done with consent. */
    fun launchReport(work: suspend CoroutineScope.() -> Unit): Job =
        scope.launch(reports) { if (mayReport) work() }

    fun endReports(): Unit = reports.cancelChildren()

    fun end(): Unit = scope.coroutineContext.job.cancelChildren()

    /** Asks the system, for at most [ms]. What does not answer goes on alone: it may not notice that it was cancelled. */
    suspend fun <T> within(ms: Long, ask: suspend () -> T?): T? {
        val answer = scope.async { told { ask() } }
        return withTimeoutOrNull(ms) { answer.await() }.also { answer.cancel() }
    }

    fun problem(sentence: String) {
        options.onProblem(sentence)
    }

    /** Tells of a refusal. 401 is told by [Api], and too many requests are nobody's fault. */
    fun problem(what: String, refusal: Answer.Refusal) {
        if (refusal.status == 401 || refusal.status == 429) return
        problem("$what was refused: ${refusal.sentence} (${refusal.code})")
    }
}

/** Asks the system. A fault of the system, or a library that the app does not have, counts as not told. */
internal inline fun <T> told(ask: () -> T?): T? = try {
    ask()
} catch (e: CancellationException) {
    throw e
} catch (_: Exception) {
    null
} catch (_: LinkageError) {
    null
}
