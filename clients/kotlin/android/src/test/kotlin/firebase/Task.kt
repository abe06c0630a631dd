package com.google.android.gms.tasks

fun interface OnSuccessListener<in T> {
    fun onSuccess(result: T)
}

class Task<T>(private val result: T) {
    fun addOnSuccessListener(listener: OnSuccessListener<T>): Task<T> {
        listener.onSuccess(result)
        return this
    }
}
