package dev.landfall

import java.net.URI

/** The version of this client, as its requests name it. */
public const val VERSION: String = "0.1.0"

/** Says whether the client may send before the person has agreed. */
public enum class Consent {
    /** The client sends until `consent(false)`. */
    NOT_REQUIRED,

    /** The client sends nothing before `consent(true)`, except the look-up of a link that the person opened. */
    REQUIRED,
}

/**
 * The options of a client.
 *
 * @property url origin of the API, like `https://api.example`
 * @property key mobile key of the app: `ol_` and 32 hexadecimal characters
 * @property hosts hosts of the app's links, without scheme
 * @property consent whether the person must agree before anything is sent
 * @property clipboard reads the clipboard at the first start. Android needs it not: Google Play tells the tap
 * @property ipv6Url origin of a host with IPv6 only
 * @property onProblem gets a sentence for the developer. It may be called on any thread
 * @throws IllegalArgumentException if `url` or `ipv6Url` is not an address of http or https, or `hosts` is empty
 */
public class Options(
    url: String,
    public val key: String,
    public val hosts: List<String>,
    public val consent: Consent = Consent.NOT_REQUIRED,
    public val clipboard: Boolean = false,
    ipv6Url: String? = null,
    public val onProblem: (String) -> Unit = { System.err.println("Landfall: $it") },
) {
    public val url: String = origin(url)
    public val ipv6Url: String? = ipv6Url?.let(::origin)

    init {
        require(hosts.isNotEmpty()) { "hosts needs at least one host of a link." }
    }
}

private fun origin(url: String): String {
    val parsed = runCatching { URI(url) }.getOrNull()
    require(parsed?.host != null && parsed.scheme.lowercase() in setOf("http", "https")) {
        "\"$url\" is no address of the API. It looks like https://api.example."
    }
    return url.trimEnd('/')
}
