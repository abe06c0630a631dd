package dev.landfall.android

import android.content.Context
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
        val builder = Class.forName("$API.InstallReferrerClient").getMethod("newBuilder", Context::class.java).invoke(null, context)
        builder.call("build")
    } catch (_: ClassNotFoundException) {
        return null
    }
    return suspendCancellableCoroutine { continuation ->
        val listener = Class.forName("$API.InstallReferrerStateListener")
        val proxy = Proxy.newProxyInstance(listener.classLoader, arrayOf(listener)) { self, method, arguments ->
            when (method.name) {
                "onInstallReferrerSetupFinished" -> {
                    val referrer = if (arguments[0] == OK) runCatching { client.call("getInstallReferrer").call("getInstallReferrer") } else null
                    runCatching { client.call("endConnection") }
                    if (continuation.isActive) continuation.resume(referrer?.getOrNull() as? String)
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

/** Looks the method up in a public class: the one that implements it may be hidden. */
private fun Any.call(name: String): Any {
    val owner = generateSequence<Class<*>>(javaClass) { it.superclass }
        .first { type -> type.name.startsWith(API) && type.methods.any { it.name == name } && java.lang.reflect.Modifier.isPublic(type.modifiers) }
    return owner.getMethod(name).invoke(this) ?: Unit
}
