// In the scene: iOS opens the app with the link.
func scene(_ scene: UIScene, continue activity: NSUserActivity) {
  guard let url = activity.webpageURL, let host = url.host else { return }
  var resolve = URLComponents(string: "{{api}}/api/links/get-by-slug")!
  resolve.queryItems = [
    URLQueryItem(name: "slug", value: url.lastPathComponent),
    URLQueryItem(name: "hostname", value: host),
  ]
  var request = URLRequest(url: resolve.url!)
  request.setValue("{{key}}", forHTTPHeaderField: "x-service-sdk-key")
  URLSession.shared.dataTask(with: request) { data, _, _ in
    // link.destination is the path to open, link.metadata what the link carries.
  }.resume()
}
