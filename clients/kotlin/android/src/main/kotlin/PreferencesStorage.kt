package dev.landfall.android

import android.content.Context
import dev.landfall.Storage
import java.io.IOException

private const val NAME = "landfall"

/** Keeps the value of the client in SharedPreferences of their own, so that the app can leave them out of its backup. */
internal class PreferencesStorage(private val context: Context) : Storage {
    private val preferences get() = context.getSharedPreferences(NAME, Context.MODE_PRIVATE)

    override fun read(): String? = preferences.getString(NAME, null)

    override fun write(value: String?) {
        // Not `apply`: the process may end before that has written.
        val isWritten = preferences.edit().run { if (value == null) remove(NAME) else putString(NAME, value) }.commit()
        if (!isWritten) throw IOException("SharedPreferences were not written.")
    }
}
