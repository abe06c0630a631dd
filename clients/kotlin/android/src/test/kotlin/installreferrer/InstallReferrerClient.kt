// The names of Google's library, which is not at Maven Central. As there, the class that does the work is hidden.
package com.android.installreferrer.api

import android.content.Context

interface InstallReferrerStateListener {
    fun onInstallReferrerSetupFinished(responseCode: Int)

    fun onInstallReferrerServiceDisconnected()
}

class ReferrerDetails(private val referrer: String) {
    fun getInstallReferrer(): String = referrer
}

abstract class InstallReferrerClient {
    abstract fun startConnection(listener: InstallReferrerStateListener)

    abstract fun getInstallReferrer(): ReferrerDetails

    abstract fun endConnection()

    class Builder internal constructor() {
        fun build(): InstallReferrerClient = Hidden()
    }

    companion object {
        /** What Google Play answers: 0 is OK. */
        var code = 0
        var connections = 0

        @JvmStatic
        fun newBuilder(context: Context?): Builder = Builder()
    }
}

private class Hidden : InstallReferrerClient() {
    override fun startConnection(listener: InstallReferrerStateListener) {
        connections++
        listener.onInstallReferrerSetupFinished(code)
    }

    override fun getInstallReferrer() = ReferrerDetails("lf_click=abc")

    override fun endConnection() {
        connections--
    }
}
