package dev.landfall.android

import android.content.Context
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.os.Looper
import android.view.ViewGroup
import android.widget.TextView
import com.example.shop.MainActivity
import com.example.shop.ShopApp
import dev.landfall.Options
import dev.landfall.Response
import dev.landfall.Transport
import java.io.File
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

private const val FOUND = """{"success": true, "link": {"id": "1", "slug": "a", "destination": "/invite?code=7", "parameters": {}, "metadata": {}}}"""
private const val NOTHING = """{"success": true, "restoredLinks": [], "count": 0}"""

/** Runs the app of the guide. */
@RunWith(RobolectricTestRunner::class)
@Config(application = ShopApp::class)
class LandfallTest {
    private val context: Context = RuntimeEnvironment.getApplication()
    private val asked = CopyOnWriteArrayList<String>()
    private val link = Intent(Intent.ACTION_VIEW, Uri.parse("https://shop.links.example/a"))

    private val server = Transport { request ->
        val path = Uri.parse(request.url).lastPathSegment!!
        asked += path
        Response(200, emptyMap(), if (path == "get-by-slug") FOUND else if (path == "restore") NOTHING else """{"success": true}""")
    }

    @Before
    fun configure() {
        Landfall.configure(context, Options("https://api.example", "ol_1", listOf("shop.links.example")), server)
    }

    private fun activity(intent: Intent, saved: Bundle? = null) =
        Robolectric.buildActivity(MainActivity::class.java, intent).create(saved)

    private val MainActivity.text get() = ((findViewById<ViewGroup>(android.R.id.content)).getChildAt(0) as TextView).text.toString()

    /** The client works on a thread of its own: lets the main thread run until [isDone]. */
    private fun await(what: String, isDone: () -> Boolean) {
        val end = System.nanoTime() + Duration.ofSeconds(20).toNanos()
        while (!isDone()) {
            assertTrue("$what did not happen. Asked: $asked", System.nanoTime() < end)
            shadowOf(Looper.getMainLooper()).idle()
            Thread.yield()
        }
    }

    @Test
    fun `a link opens the app that was not running`() {
        val activity = activity(link).get()
        await("the link") { activity.text == "/invite?code=7" }
        assertEquals(0, asked.count { it == "restore" })
    }

    @Test
    fun `a link reaches the running app`() {
        val controller = activity(Intent(Intent.ACTION_MAIN))
        await("the restore") { "restore" in asked }
        controller.newIntent(link)
        await("the link") { controller.get().text == "/invite?code=7" }
    }

    @Test
    fun `an activity that is made again does not open its link again`() {
        activity(link, Bundle())
        await("the restore") { "restore" in asked }
        assertEquals(0, asked.count { it == "get-by-slug" })
    }

    @Test
    fun `a second activity of the run opens the link of its own`() {
        activity(Intent(Intent.ACTION_MAIN)).destroy()
        await("the restore") { "restore" in asked }
        val second = activity(link).get()
        await("the link") { second.text == "/invite?code=7" }
    }

    @Test
    fun `a value that a backup brought is not this phone's`() {
        val name = "11111111-1111-4111-8111-111111111111"
        val old = """{"device": "$name", "installedAt": 1795867160000, "restored": true, "heartbeatAt": ${System.currentTimeMillis()}}"""
        PreferencesStorage(context).write(old)
        shadowOf(context.packageManager).getInternalMutablePackageInfo(context.packageName).firstInstallTime = 1_795_867_160_000 + 61_000
        activity(Intent(Intent.ACTION_MAIN))
        await("the heartbeat") { "install-heartbeat" in asked }
        assertFalse(name in PreferencesStorage(context).read()!!)
    }

    @Test
    fun `a push that was tapped shows its page, and is reported`() {
        val push = Intent(Intent.ACTION_MAIN).putExtra("notificationId", "n1").putExtra("destinationPath", "/sale")
        assertEquals("/sale", activity(push).get().text)
        await("the report") { "opened" in asked }
    }

    @Test
    fun `the app registers for pushes`() {
        activity(Intent(Intent.ACTION_MAIN))
        await("the registration") { "register" in asked }
    }

    @Test
    fun `the app asks for the permission to show pushes`() {
        val asks = shadowOf(activity(Intent(Intent.ACTION_MAIN)).get()).lastRequestedPermission
        assertEquals(listOf("android.permission.POST_NOTIFICATIONS"), asks.requestedPermissions.toList())
    }

    @Test
    fun `the guide shows the app that runs here, and the whole build of the sample`() {
        val guide = File("../README.md").readText()
        val code = File("src/test/kotlin/example/ShopApp.kt").readText()
        assertTrue(guide.contains("```kotlin\n$code```"))
        val build = File("../sample/pom.xml").readText()
        assertTrue(guide.contains("```xml\n$build```"))
    }
}
