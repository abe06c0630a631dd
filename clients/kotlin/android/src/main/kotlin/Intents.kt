package dev.landfall.android

import android.content.Intent

/** The URL that an intent hands to the app. None from the list of recent apps: the person has had that link. */
internal fun Intent.link(): String? = if (action == Intent.ACTION_VIEW && !isFromHistory) dataString else null

/** The data of a push that the person tapped: Firebase puts them into the intent of the launcher. */
internal fun Intent.pushData(): Map<String, String> {
    val extras = extras
    if (extras == null || isFromHistory) return emptyMap()
    return PUSH_FIELDS.mapNotNull { name -> extras.getString(name)?.let { name to it } }.toMap()
}

private val Intent.isFromHistory get() = flags and Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY != 0

private val PUSH_FIELDS = listOf("notificationId", "deviceToken", "destinationPath", "linkId", "metadata")
