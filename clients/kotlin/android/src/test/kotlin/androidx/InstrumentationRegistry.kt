// Robolectric needs these classes of androidx.test, which are not at Maven Central. They do just enough for it to start.
package androidx.test.platform.app

import android.app.Instrumentation
import android.os.Bundle

object InstrumentationRegistry {
    private var instance: Instrumentation? = null

    @JvmStatic
    fun registerInstance(instrumentation: Instrumentation?, arguments: Bundle?) {
        instance = instrumentation
    }

    @JvmStatic
    fun getInstrumentation(): Instrumentation = instance!!
}
