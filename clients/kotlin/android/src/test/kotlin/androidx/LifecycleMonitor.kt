package androidx.test.runner.lifecycle

enum class Stage { PRE_ON_CREATE, CREATED, STARTED, RESUMED, PAUSED, STOPPED, RESTARTED, DESTROYED }

enum class ApplicationStage { PRE_ON_CREATE, CREATED }

interface ActivityLifecycleMonitor

interface ApplicationLifecycleMonitor

object ActivityLifecycleMonitorRegistry {
    @JvmStatic
    fun registerInstance(monitor: ActivityLifecycleMonitor?): Unit = Unit
}

object ApplicationLifecycleMonitorRegistry {
    @JvmStatic
    fun registerInstance(monitor: ApplicationLifecycleMonitor?): Unit = Unit
}
