package dev.landfall.parts

import dev.landfall.Finding
import org.json.JSONObject

/** Compares what the server knows of the app and of this device with what the system tells. */
internal class Diagnosis(private val session: Session, private val api: Api) {
    private val device = session.device
    private val isAndroid = device.platform == "android"
    private val findings = mutableListOf<Finding>()

    suspend fun run(): List<Finding> {
        val query = mapOf("deviceFingerprint" to session.deviceId())
        val answer = if (session.mayReport) api.get("/api/device-check", query) else null
        val json = (answer as? Answer.Success)?.json
        server(answer)
        app(json?.objectOrEmpty("app"))
        system()
        server(json?.objectOrEmpty("device"))
        val waits = session.stored.waiting.find { it.isOld && session.now - it.at < DAY }
        val detail = if (waits == null) "No link waits." else "${waits.link.destination} came before, and was not handled."
        add("handled", waits == null, detail) {
            "Call handled() on each link, when the app shows its page."
        }
        return findings
    }

    private fun server(answer: Answer?) {
        val refusal = answer as? Answer.Refusal
        // The route has no 404: another server says it, an address with a path, or a Landfall without this route.
        val isOther = refusal?.status == 404
        val answered = answer != null && answer !is Answer.None && !isOther
        add("server", if (answer == null) null else answered, when {
            answer == null -> "Nothing was sent, because the person has not agreed."
            isOther -> "${session.options.url} answered 404."
            answered -> "${session.options.url} answered."
            else -> "${session.options.url} did not answer as Landfall."
        }) {
            when {
                answer == null -> "Call consent(true) first."
                isOther -> "Give the option url without a path. If it has none, update Landfall."
                else -> "Check the option url, the network, the permission INTERNET. On a phone, localhost is the phone."
            }
        }
        val key = if (answered) refusal?.status !in setOf(401, 403) else null
        add("key", key, when (key) {
            true -> "The server does not refuse it."
            false -> refusal?.sentence.orEmpty()
            null -> NO_ANSWER
        }) {
            if (key == null) ANSWER_FIRST else "Copy a mobile key from the page Keys of your app into the option key."
        }
    }

    private fun app(app: JSONObject?) {
        val ours = session.options.hosts.map(::withoutPort).toSet()
        val theirs = app?.texts("hosts")?.map(::withoutPort)?.toSet()
        val names = theirs?.joinToString()
        compare("hosts", theirs?.let { it == ours }, "The app has $names. The option says ${ours.joinToString()}.") {
            "Set the option hosts to $names, and the intent filter or the associated domains, too."
        }
        val ids = app?.objectOrEmpty(if (isAndroid) "android" else "ios")
        val id = if (isAndroid) ids?.text("package") else ids?.text("appId")?.substringAfter('.')
        val certificates = ids?.texts("certificates").orEmpty()
        val isComplete = ids?.let { id != null && (!isAndroid || certificates.isNotEmpty()) }
        val knows = if (id == null) "no app id" else "the app id $id"
        compare("association", isComplete, "The server knows $knows and ${certificates.size} certificates.") {
            "Enter the ids of the app on its page Add to your app."
        }
        val appId = told { device.appId }
        val isSame = appId?.let { ids?.let { id == appId } }
        compare("app", isSame, "The system says $appId, the server ${id ?: "none"}.", isTold = appId != null) {
            "Enter $appId on the page Add to your app, or start the app with the other id."
        }
        if (!isAndroid) return
        val signed = told { device.certificates }
        val known = certificates.map(::bare)
        val isKnown = signed?.let { ids?.let { signed.any { bare(it) in known } } }
        compare("certificate", isKnown, "The app is signed with ${signed?.joinToString()}.", isTold = signed != null) {
            "Enter this SHA-256 on the page Add to your app. The one of Google Play is in the Play Console, App integrity."
        }
    }

    private suspend fun system() {
        if (isAndroid) {
            val opens = session.options.hosts.associateWith { host -> told { device.opens(host) } }
            val shut = opens.filterValues { it == false }.keys
            val all = if (shut.isNotEmpty()) false else if (null in opens.values) null else true
            val detail = when (all) {
                true -> "Each host opens the app."
                false -> "Links of ${shut.joinToString()} do not open the app."
                null -> NOT_TOLD
            }
            add("intent filter", all, detail) {
                "Add an intent filter with android:autoVerify for each host, see the guide. Then install the app again."
            }
            val referrer = session.within(Collector.LIMIT_MS) { device.installReferrer() }
            val wasTold = referrer != null
            add("install referrer", wasTold, if (wasTold) "The system tells it." else "The system does not tell it.") {
                "Add the dependency com.android.installreferrer:installreferrer. It needs a phone with Google Play."
            }
        }
        val installedAt = told { device.installedAt }
        add("install time", installedAt != null, if (installedAt == null) NOT_TOLD else "The system tells it.") {
            "Let Device.installedAt return the time of the install."
        }
    }

    private fun server(seen: JSONObject?) {
        val heartbeat = seen?.number("heartbeatSecondsAgo")
        val detail = if (heartbeat == null) "There was none." else "The last one came $heartbeat s ago."
        compare("heartbeat", seen?.let { heartbeat != null && heartbeat <= HEARTBEAT_LIMIT_S }, detail) {
            "Call start() at each start of the app."
        }
        val restore = seen?.opt("restore") as? JSONObject
        val found = "${restore?.number("secondsAgo")} s ago it found ${restore?.number("found")}: ${restore?.text("why")}"
        compare("restore", seen?.let { restore != null }, if (restore == null) "There was none." else found) {
            "Call start() without a link, and wait for its end."
        }
    }

    /** A check that needs the answer of the server. */
    private fun compare(check: String, passed: Boolean?, detail: String, isTold: Boolean = true, fix: () -> String) {
        if (passed != null) return add(check, passed, detail, fix)
        add(check, null, if (isTold) NO_ANSWER else NOT_TOLD) { if (isTold) ANSWER_FIRST else "Look it up by hand." }
    }

    private fun add(check: String, passed: Boolean?, detail: String, fix: () -> String) {
        findings += Finding(check, passed, detail, if (passed == true) null else fix())
    }

    private fun bare(certificate: String) = certificate.replace(":", "").lowercase()

    private companion object {
        const val NO_ANSWER = "The server told nothing."
        const val ANSWER_FIRST = "Mend server and key first."
        const val NOT_TOLD = "The system does not tell it."
        const val HEARTBEAT_LIMIT_S = 25 * 60 * 60
    }
}
