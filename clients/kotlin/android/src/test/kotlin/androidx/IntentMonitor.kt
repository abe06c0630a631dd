package androidx.test.runner.intent

interface IntentMonitor

object IntentMonitorRegistry {
    @JvmStatic
    fun registerInstance(monitor: IntentMonitor?): Unit = Unit
}

object IntentStubberRegistry {
    @JvmStatic
    fun isLoaded(): Boolean = false
}
