package com.example

import dev.landfall.Device
import dev.landfall.LandfallClient
import dev.landfall.Options
import dev.landfall.Storage
import java.io.File
import kotlin.system.exitProcess
import kotlinx.coroutines.runBlocking

/** An app without a phone. It starts, as an app does after its install, and prints the link that was tapped before. */
fun main(): Unit = runBlocking {
    val landfall = LandfallClient.configure(
        Options(url = env("LANDFALL_URL"), key = env("LANDFALL_KEY"), hosts = env("LANDFALL_HOST").let { listOf(it, "open-$it") }),
        Phone,
        FileStorage(File("landfall.json")),
    )
    landfall.onLink { link ->
        println("Link: ${link.destination}, found by ${link.match.name.lowercase()}, sure: ${link.sure}")
        link.handled()
    }
    if (landfall.start().await() == null) println("No link.")
    landfall.diagnose().forEach(::println)
    exitProcess(0)
}

/** What the system of a phone tells. On Android, landfall-android does this. */
private object Phone : Device {
    override val platform = "android"
    override val osVersion = "14"
    override val model = "Pixel 8"
    override val language = "de-AT"
}

private class FileStorage(private val file: File) : Storage {
    override fun read() = if (file.exists()) file.readText() else null

    override fun write(value: String?) {
        if (value == null) return file.delete().let { }
        val next = File("${file.path}.new").apply { writeText(value) }
        check(next.renameTo(file)) { "$file cannot be written." }
    }
}

private fun env(name: String) = System.getenv(name) ?: error("Set $name.")
