package dev.landfall.parts

import dev.landfall.Finding
import org.json.JSONObject

/** Compares what the server knows of the app and of this device with what the system tells. */
internal class Diagnosis(private val session: Session, private val api: Api) {
    private val device = session.device
    private val isAndroid = device.platform == "android"
    private val findings = mutableListOf<Finding>()

    suspend fun run(): List<Finding> {
        val answer = if (!session.mayReport) null else api.get("/api/device-check", mapOf("deviceFingerprint" to session.deviceId()))
        val json = (answer as? Answer.Success)?.json
        server(answer)
        app(json?.objectOrEmpty("app"))
        system()
        server(json?.objectOrEmpty("device"))
        val waits = session.stored.waiting.find { it.isOld && session.now - it.at < DAY }
        add("handled", waits == null, if (waits == null) "No link waits." else "The link ${waits.link.destination} came before, and was not handled.") {
            "Call handled() on each link, when the app shows its page."
        }
        return findings
    }

    private fun server(answer: Answer?) {
        val refusal = answer as? Answer.Refusal
        add("server", answer?.let { it !is Answer.None }, when (answer) {
            null -> "Nothing was sent, because the person has not agreed."
            is Answer.None -> "${session.options.url} did not answer as Landfall."
            else -> "${session.options.url} answered."
        }) { if (answer == null) "Call consent(true) first." else "Check the option url, the network, and the permission INTERNET." }
        val key = if (answer == null || answer is Answer.None) null else refusal?.status !in setOf(401, 403)
        add("key", key, refusal?.sentence ?: if (key == true) "The server knows the key." else NO_ANSWER) {
            if (key == null) ANSWER_FIRST else "Copy a mobile key from the page Keys of your app into the option key."
        }
    }

    private fun app(app: JSONObject?) {
        val ours = session.options.hosts.map(::withoutPort).toSet()
        val theirs = app?.texts("hosts")?.map(::withoutPort)?.toSet()
        compare("hosts", theirs?.let { it == ours }, "The app has ${theirs?.joinToString()}. The option says ${ours.joinToString()}.") {
            "Set the option hosts to ${theirs?.joinToString()}, and the intent filter or the associated domains, too."
        }
        val ids = app?.objectOrEmpty(if (isAndroid) "android" else "ios")
        val id = if (isAndroid) ids?.text("package") else ids?.text("appId")?.substringAfter('.')
        val certificates = ids?.texts("certificates").orEmpty()
        compare("association", ids?.let { id != null && (!isAndroid || certificates.isNotEmpty()) }, "The server knows the app id $id and ${certificates.size} certificates.") {
            "Enter the ids of the app on its page Set up."
        }
        val appId = told { device.appId }
        compare("app", appId?.let { ids?.let { id == appId } }, "The system says $appId, the server $id.", isTold = appId != null) {
            "Enter $appId on the page Set up, or start the app with the other id."
        }
        if (!isAndroid) return
        val signed = told { device.certificates }
        val isKnown = signed?.let { ids?.let { certificates.any { known -> signed.any { bare(it) == bare(known) } } } }
        compare("certificate", isKnown, "The app is signed with ${signed?.joinToString()}.", isTold = signed != null) {
            "Enter this SHA-256 on the page Set up. A build of Google Play has another one: it is in the Play Console, App integrity."
        }
    }

    private suspend fun system() {
        if (isAndroid) {
            val opens = session.options.hosts.associateWith { host -> told { device.opens(host) } }
            val shut = opens.filterValues { it == false }.keys
            val all = if (shut.isNotEmpty()) false else if (null in opens.values) null else true
            add("intent filter", all, if (all == null) NOT_TOLD else if (all) "Each host opens the app." else "Links of ${shut.joinToString()} do not open the app.") {
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
        compare("heartbeat", seen?.let { heartbeat != null && heartbeat <= HEARTBEAT_LIMIT_S }, if (heartbeat == null) "There was none." else "The last one came $heartbeat s ago.") {
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
        const val NOT_TOLD = "The system does not tell it."
        const val ANSWER_FIRST = "Mend server and key first."
        const val HEARTBEAT_LIMIT_S = 25 * 60 * 60
    }
}
