package dev.landfall.android

import android.content.Context
import java.lang.reflect.Modifier
import java.lang.reflect.Proxy
import kotlin.coroutines.resume
import kotlinx.coroutines.suspendCancellableCoroutine

private const val API = "com.android.installreferrer.api"
private const val OK = 0

/**
 * Asks Google Play which link led to the install. It finds the library `com.android.installreferrer` by name, so an app
 * only adds the dependency. None without the library, and without Google Play.
 */
internal suspend fun playReferrer(context: Context): String? {
    val client = try {
        val type = Class.forName("$API.InstallReferrerClient")
        type.getMethod("newBuilder", Context::class.java).invoke(null, context).call("build")
    } catch (_: ClassNotFoundException) {
        return null
    }
    return suspendCancellableCoroutine { continuation ->
        val listener = Class.forName("$API.InstallReferrerStateListener")
        val proxy = Proxy.newProxyInstance(listener.classLoader, arrayOf(listener)) { self, method, arguments ->
            when (method.name) {
                "onInstallReferrerSetupFinished" -> {
                    val referrer = if (arguments[0] == OK) runCatching { client.referrer() }.getOrNull() else null
                    runCatching { client.call("endConnection") }
                    if (continuation.isActive) continuation.resume(referrer)
                }
                // The methods of every object, because the library may put the listener into a set.
                "equals" -> return@newProxyInstance self === arguments[0]
                "hashCode" -> return@newProxyInstance System.identityHashCode(self)
                "toString" -> return@newProxyInstance "Landfall"
            }
            null
        }
        try {
            Class.forName("$API.InstallReferrerClient").getMethod("startConnection", listener).invoke(client, proxy)
        } catch (_: ReflectiveOperationException) {
            if (continuation.isActive) continuation.resume(null)
        }
        continuation.invokeOnCancellation { runCatching { client.call("endConnection") } }
    }
}

/** The client gives the details, and they give the text: both by a method of this name. */
private fun Any.referrer(): String? = call("getInstallReferrer").call("getInstallReferrer") as? String

/** Looks the method up in a public class: the one that implements it is hidden. */
private fun Any.call(name: String): Any {
    val types = generateSequence<Class<*>>(javaClass) { it.superclass }
    val owner = types.first { type -> Modifier.isPublic(type.modifiers) && type.methods.any { it.name == name } }
    return owner.getMethod(name).invoke(this) ?: Unit
}
