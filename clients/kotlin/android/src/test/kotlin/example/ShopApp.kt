package com.example.shop

import android.Manifest
import android.app.Activity
import android.app.Application
import android.content.Intent
import android.os.Build
import android.os.Bundle
import android.widget.TextView
import com.google.firebase.messaging.FirebaseMessaging
import com.google.firebase.messaging.FirebaseMessagingService
import dev.landfall.Link
import dev.landfall.Options
import dev.landfall.android.Landfall
import java.util.Locale

class ShopApp : Application() {
    override fun onCreate() {
        super.onCreate()
        Landfall.configure(
            this,
            Options(
                url = "https://api.example",
                key = "ol_…",
                hosts = listOf("shop.links.example", "open-shop.links.example"),
            ),
        )
    }
}

// With AndroidX, ComponentActivity takes the place of Activity. Nothing else changes.
class MainActivity : Activity() {
    private lateinit var page: TextView
    private lateinit var stopListening: () -> Unit

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        page = TextView(this)
        setContentView(page)
        stopListening = Landfall.onLink(::show)
        // An activity that is made again has taken its intent already.
        val opening = intent.takeIf { savedInstanceState == null }
        Landfall.start(opening)
        if (opening != null) Landfall.pushOpened(opening)?.let(::show)
        // What has not changed is not sent again.
        FirebaseMessaging.getInstance().token.addOnSuccessListener {
            Landfall.push.register(it, Locale.getDefault().toLanguageTag())
        }
        // Android 13 and newer show no push before the person allows it. Better ask where the person knows why.
        if (opening != null && Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
            requestPermissions(arrayOf(Manifest.permission.POST_NOTIFICATIONS), 0)
        }
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        Landfall.handleIntent(intent)
        Landfall.pushOpened(intent)?.let(::show)
    }

    override fun onDestroy() {
        stopListening()
        super.onDestroy()
    }

    private fun show(link: Link) {
        // A link that was found by address alone may be another person's.
        page.text = if (link.sure) link.destination else link.path
        link.handled()
    }
}

// Without pushes, leave out this class, what names Firebase, and the permission.
class ShopMessaging : FirebaseMessagingService() {
    override fun onNewToken(token: String) = Landfall.push.register(token)
}
