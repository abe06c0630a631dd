package dev.landfall.android

import android.content.ClipboardManager
import android.content.Context
import android.content.Intent
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.verify.domain.DomainVerificationManager
import android.content.pm.verify.domain.DomainVerificationUserState
import android.net.Uri
import android.os.Build
import dev.landfall.Device
import dev.landfall.VERSION
import java.security.MessageDigest
import java.util.Locale

/** Facts of the device and the app from Android. */
internal class AndroidDevice(private val context: Context) : Device {
    private val packages: PackageManager get() = context.packageManager
    private val info: PackageInfo by lazy { packages.getPackageInfo(context.packageName, 0) }

    override val platform get() = "android"
    override val client get() = "landfall-android/$VERSION"
    override val osVersion: String get() = Build.VERSION.RELEASE
    override val model: String get() = Build.MODEL
    override val language: String get() = locale().toLanguageTag()
    override val appVersion: String? get() = info.versionName
    override val installedAt: Long get() = info.firstInstallTime
    override val appId: String get() = context.packageName

    override val certificates: List<String>
        get() = signatures().map { signature ->
            MessageDigest.getInstance("SHA-256").digest(signature.toByteArray()).joinToString(":") { "%02X".format(it) }
        }

    /** The language of the app, which may be another one than that of the system. */
    private fun locale(): Locale {
        val configuration = context.resources.configuration
        @Suppress("DEPRECATION")
        return if (Build.VERSION.SDK_INT >= 24) configuration.locales[0] else configuration.locale
    }

    @Suppress("DEPRECATION")
    private fun signatures() = if (Build.VERSION.SDK_INT >= 28) {
        val signing = packages.getPackageInfo(context.packageName, PackageManager.GET_SIGNING_CERTIFICATES).signingInfo
        // The last one of the history is the one in force.
        if (signing!!.hasMultipleSigners()) signing.apkContentsSigners else arrayOf(signing.signingCertificateHistory.last())
    } else {
        packages.getPackageInfo(context.packageName, PackageManager.GET_SIGNATURES).signatures!!
    }

    /** From Android 12 on, the system says which hosts it has verified. Before, an intent shows which app it opens. */
    override fun opens(host: String): Boolean {
        val name = host.substringBefore(':').lowercase()
        if (Build.VERSION.SDK_INT >= 31) {
            val state = context.getSystemService(DomainVerificationManager::class.java)
                .getDomainVerificationUserState(context.packageName)
            if (state == null || !state.isLinkHandlingAllowed) return false
            val verified = state.hostToStateMap[name] ?: return false
            return verified != DomainVerificationUserState.DOMAIN_STATE_NONE
        }
        val intent = Intent(Intent.ACTION_VIEW, Uri.parse("https://$name/landfall")).addCategory(Intent.CATEGORY_BROWSABLE)
        val opened = packages.resolveActivity(intent, PackageManager.MATCH_DEFAULT_ONLY)
        return opened?.activityInfo?.packageName == context.packageName
    }

    override suspend fun installReferrer(): String? = playReferrer(context)

    override suspend fun clipboard(): String? {
        val clip = context.getSystemService(Context.CLIPBOARD_SERVICE).let { it as ClipboardManager }.primaryClip
        return if (clip == null || clip.itemCount == 0) null else clip.getItemAt(0).text?.toString()
    }
}
