package dev.landfall

import org.json.JSONObject

/**
 * The user who is signed in.
 *
 * @property email the address that your backend knows the user by
 * @property token the identity token of your backend, if your app requires one
 */
public class User(public val email: String, public val token: String? = null)

/** A link that `create` made. */
public class CreatedLink internal constructor(
    public val id: String,
    public val slug: String,
    public val url: String,
    public val destination: String,
    public val metadata: JSONObject,
)

/**
 * A check of `diagnose`.
 *
 * @property check what was checked, like `key`
 * @property passed none if it could not be tried
 * @property detail what was found
 * @property fix what to do. None if it passed
 */
public class Finding internal constructor(
    public val check: String,
    public val passed: Boolean?,
    public val detail: String,
    public val fix: String?,
) {
    override fun toString(): String {
        val mark = when (passed) {
            true -> "passed"
            false -> "FAILED"
            null -> "not tried"
        }
        return "$check: $mark. $detail" + if (fix == null) "" else " $fix"
    }
}

/**
 * What `resolve` and `create` throw.
 *
 * @property code `NO_ANSWER`, `NO_CONSENT`, or a code of the server
 * @property status HTTP status of the refusal. None without an answer
 * @property retryAfterSeconds how long to wait after a 429, if the server says so
 */
public class LandfallException internal constructor(
    public val code: String,
    message: String,
    public val status: Int? = null,
    public val retryAfterSeconds: Int? = null,
) : Exception(message)
