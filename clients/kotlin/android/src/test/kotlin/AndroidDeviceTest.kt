package dev.landfall.android

import android.content.Context
import android.content.ContextWrapper
import android.content.Intent
import android.content.pm.PackageInfo
import android.content.pm.Signature
import android.content.pm.verify.domain.DomainVerificationManager
import android.content.pm.verify.domain.DomainVerificationUserState
import android.content.pm.verify.domain.IDomainVerificationManager
import android.net.Uri
import android.os.Process
import com.android.installreferrer.api.InstallReferrerClient
import java.lang.reflect.Proxy
import java.util.UUID
import kotlinx.coroutines.runBlocking
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowBuild

@RunWith(RobolectricTestRunner::class)
class AndroidDeviceTest {
    private val context: Context = RuntimeEnvironment.getApplication()
    private val device = AndroidDevice(context)

    @Test
    fun `the system tells what the device and the app are`() {
        ShadowBuild.setModel("Pixel 8")
        RuntimeEnvironment.setQualifiers("de-rAT")
        shadowOf(context.packageManager).installPackage(
            PackageInfo().apply {
                packageName = context.packageName
                versionName = "1.2.0"
                firstInstallTime = 1_795_867_160_000
                applicationInfo = context.applicationInfo
            },
        )
        val told = device.run { listOf(platform, osVersion, model, language, appVersion, installedAt, appId, client) }
        val expected = listOf("android", "14", "Pixel 8", "de-AT", "1.2.0", 1_795_867_160_000, context.packageName, "landfall-android/0.1.0")
        assertEquals(expected, told)
    }

    @Test
    fun `a certificate is told as the SHA-256 of its bytes`() {
        val info = shadowOf(context.packageManager).getInternalMutablePackageInfo(context.packageName)
        val signing = org.robolectric.util.ReflectionHelpers.callConstructor(android.content.pm.SigningInfo::class.java)
        shadowOf(signing).setSignatures(arrayOf(Signature(byteArrayOf(1, 2, 3))))
        info.signingInfo = signing
        val sha256 = "03:90:58:C6:F2:C0:CB:49:2C:53:3B:0A:4D:14:EF:77:CC:0F:78:AB:CC:CE:D5:28:7D:84:A1:A2:01:1C:FB:81"
        assertEquals(listOf(sha256), device.certificates)
    }

    @Test
    fun `the install referrer is that of Google Play, and its connection ends`() {
        assertEquals("lf_click=abc", runBlocking { device.installReferrer() })
        InstallReferrerClient.code = 1
        assertNull(runBlocking { device.installReferrer() })
        assertEquals(0, InstallReferrerClient.connections)
    }

    @Test
    fun `a host opens the app if the system has verified it`() {
        val domains = mapOf("shop.links.example" to 2, "chosen.example" to 1, "other.example" to 0)
        val state = DomainVerificationUserState(UUID.randomUUID(), context.packageName, Process.myUserHandle(), true, domains)
        val service = Proxy.newProxyInstance(javaClass.classLoader, arrayOf(IDomainVerificationManager::class.java)) { _, method, _ ->
            if (method.name == "getDomainVerificationUserState") state else null
        } as IDomainVerificationManager
        val manager = DomainVerificationManager(context, service)
        val wrapper = object : ContextWrapper(context) {
            override fun getSystemService(name: String): Any? =
                if (name == Context.DOMAIN_VERIFICATION_SERVICE) manager else super.getSystemService(name)

            override fun getSystemServiceName(type: Class<*>): String? =
                if (type == DomainVerificationManager::class.java) Context.DOMAIN_VERIFICATION_SERVICE else super.getSystemServiceName(type)
        }
        val hosts = listOf("shop.links.example:443", "chosen.example", "other.example", "unknown.example")
        assertEquals(listOf(true, true, false, false), hosts.map(AndroidDevice(wrapper)::opens))
    }

    @Test
    fun `the stored value is one preference`() {
        val storage = PreferencesStorage(context)
        assertNull(storage.read())
        storage.write("a")
        assertEquals("a", PreferencesStorage(context).read())
        assertEquals(mapOf("landfall" to "a"), context.getSharedPreferences("landfall", 0).all)
        storage.write(null)
        assertNull(storage.read())
    }

    @Test
    fun `an intent has a link if it is to be viewed, and is not from the recent apps`() {
        val intent = Intent(Intent.ACTION_VIEW, Uri.parse("https://shop.links.example/a?b=c"))
        assertEquals("https://shop.links.example/a?b=c", intent.link())
        assertNull(Intent(intent).addFlags(Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY).link())
        assertNull(Intent(Intent.ACTION_MAIN).setData(intent.data).link())
    }
}
