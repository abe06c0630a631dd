package dev.landfall

/**
 * What the system tells of the device and the app. A member that returns none, or throws, is not told.
 * The client calls it on a background thread.
 */
public interface Device {
    /** `android` or `ios`. */
    public val platform: String

    /** Name and version of the client, as requests name it. */
    public val client: String get() = "landfall-kotlin/$VERSION"
    public val osVersion: String? get() = null
    public val model: String? get() = null

    /** The language of the app, BCP 47. */
    public val language: String? get() = null
    public val appVersion: String? get() = null

    /** An id of the device, if the system has one that is good for a single app. */
    public val id: String? get() = null

    /** When the app was installed, in milliseconds since 1970. */
    public val installedAt: Long? get() = null

    /** The package of the app, or its bundle id. */
    public val appId: String? get() = null

    /** SHA-256 of the certificates that signed the app, in hexadecimal, with or without colons. */
    public val certificates: List<String>? get() = null

    /** Says whether links of this host open the app. */
    public fun opens(host: String): Boolean? = null

    /** The install referrer of Google Play. The client waits for at most 1 s. */
    public suspend fun installReferrer(): String? = null

    /** The text on the clipboard. Called only with the option `clipboard`. */
    public suspend fun clipboard(): String? = null
}

/** Keeps one text between the starts of the app. The client calls it on a background thread, one call at a time. */
public interface Storage {
    /** The text, or none if there is none. */
    public fun read(): String?

    /** Writes the text whole before it returns. None deletes it. */
    public fun write(value: String?)
}
