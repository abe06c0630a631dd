// In the activity: Android opens the app with the link. OkHttp sends the request.
intent.data?.let { link ->
  val url = "{{api}}/api/links/get-by-slug".toHttpUrl().newBuilder()
    .addQueryParameter("slug", link.lastPathSegment)
    .addQueryParameter("hostname", link.host)
    .build()
  val request = Request.Builder().url(url).header("x-service-sdk-key", "{{key}}").build()
  client.newCall(request).enqueue(/* link.destination is the path to open. */)
}
