// The names of Google's library that the app of the guide uses. The library is not at Maven Central.
package com.google.firebase.messaging

import android.app.Service
import android.content.Intent
import com.google.android.gms.tasks.Task

class FirebaseMessaging private constructor() {
    val token: Task<String> = Task("fcm-token:1")

    companion object {
        @JvmStatic
        fun getInstance() = FirebaseMessaging()
    }
}

abstract class FirebaseMessagingService : Service() {
    override fun onBind(intent: Intent?) = null

    open fun onNewToken(token: String) = Unit
}
