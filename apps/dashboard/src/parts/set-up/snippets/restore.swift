// At the first start after the install: first a heartbeat, then the question.
func ask(_ path: String) async throws -> Data {
  let home = try FileManager.default.attributesOfItem(atPath: NSHomeDirectory())
  let installedAt = home[.creationDate] as? Date ?? Date()
  var request = URLRequest(url: URL(string: "{{api}}/api/deferred-deep-linking/\(path)")!)
  request.httpMethod = "POST"
  request.setValue("{{key}}", forHTTPHeaderField: "x-service-sdk-key")
  request.setValue("application/json", forHTTPHeaderField: "content-type")
  request.httpBody = try JSONSerialization.data(withJSONObject: [
    "appId": "{{appId}}",
    "deviceFingerprint": UIDevice.current.identifierForVendor!.uuidString,
    "platform": "ios",
    "installedSecondsAgo": Int(Date().timeIntervalSince(installedAt)),
  ])
  return try await URLSession.shared.data(for: request).0
}
_ = try await ask("install-heartbeat")
let data = try await ask("restore")
// restoredLinks[0].destination is the path to open. The list is empty when there is no link.
