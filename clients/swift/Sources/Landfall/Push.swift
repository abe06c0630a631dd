import Foundation

extension Landfall {
  public var push: Push { Push(client: self) }

  /// Pushes of this device.
  @MainActor
  public struct Push {
    /// Which host of Apple knows an APNs token.
    public enum Environment: String, Sendable { case production, sandbox }

    let client: Landfall

    /// Registers the device. Call it at every start: it sends if something changed, and after seven days.
    /// - Parameters:
    ///   - token: the token of Apple, in hexadecimal, or of Firebase
    ///   - language: the language of the texts, as in BCP 47: `de-AT`
    ///   - environment: for a token of Apple
    public func register(_ token: String, language: String? = nil, environment: Environment? = nil) {
      let options = Value.of([
        "language": language.map { .string($0) }, "environment": environment.map { .string($0.rawValue) },
      ])
      client.register(token, options.object ?? [:])
    }

    /// Registers the device with the token that Apple gave.
    public func register(_ token: Data, language: String? = nil, environment: Environment? = nil) {
      register(token.map { String(format: "%02x", $0) }.joined(), language: language, environment: environment)
    }

    /// Ends pushes to this device.
    public func unregister() {
      guard let push = client.stored.push else { return }
      var next = client.stored
      next.push = nil
      // Without consent it was never registered, or is unregistered already.
      if client.allowed { next.unregister = next.unregister.filter { $0 != push.token } + [push.token] }
      client.stored = next
      client.unregisterAll()
    }

    /// Reports a push that a person opened. Returns its link, or nil if it is a push of somebody else.
    /// - Parameter data: `userInfo` of the notification
    public func opened(_ data: [AnyHashable: Any]) -> Link? { opened(Value(data) ?? .null) }

    func opened(_ data: Value) -> Link? {
      if let id = data["notificationId"]?.string, !id.isEmpty, client.allowed {
        let opened = Stored.Opened(notificationId: id, deviceToken: data["deviceToken"]?.string)
        if !client.stored.opened.contains(opened) {
          client.stored.opened = Array((client.stored.opened + [opened]).suffix(20))
        }
        client.reportOpened()
      }
      guard let path = data["destinationPath"]?.string else { return nil }
      let metadata = data["metadata"]?.string.flatMap { Value(json: Data($0.utf8)) } ?? data["metadata"]
      let fields = Value.of([
        "destination": .string(path), "parameters": .object(Link.parameters(of: path)), "metadata": metadata,
        "linkId": data["linkId"],
      ])
      return Link(fields, via: .push, match: .link)
    }
  }
}

extension Landfall {
  private static let week = 604_800_000

  /// Sends what could not be reported before.
  func report() {
    unregisterAll()
    register()
    reportOpened()
  }

  fileprivate func register(_ token: String, _ options: [String: Value]) {
    var next = stored
    if next.push?.token != token || next.push?.options != options {
      next.push = .init(token: token, options: options, user: next.push?.user, answeredAt: nil)
      next.unregister.removeAll { $0 == token }
      stored = next
    }
    register()
  }

  /// Registers the device if it is due: for another user, if it was not answered, or after seven days.
  func register() {
    guard allowed, var push = stored.push else { return }
    // Before the app has said who is signed in, it is the user of before: nobody is signed out by a start.
    let user = identity ?? push.user.map { User(email: $0) }
    if push.user != user?.email {
      push.user = user?.email
      push.answeredAt = nil
      stored.push = push
    }
    if let answeredAt = push.answeredAt, abs(watch.now - answeredAt) < Self.week { return }
    var body = push.options
    body["deviceToken"] = .string(push.token)
    body["platform"] = .string(system.platform)
    body["userEmail"] = user.map { .string($0.email) }
    body["identityToken"] = user?.token.map { .string($0) }
    once("/api/push/register", .object(body)) { client, outcome in
      guard case .answer = outcome, client.stored.push == push else { return }
      client.stored.push?.answeredAt = client.watch.now
    }
  }

  func unregisterAll() {
    for token in stored.unregister {
      once("/api/push/unregister", ["deviceToken": .string(token)]) { client, outcome in
        if outcome.isFinal { client.stored.unregister.removeAll { $0 == token } }
      }
    }
  }

  func reportOpened() {
    for opened in stored.opened {
      once("/api/push/opened", opened.value) { client, outcome in
        if outcome.isFinal { client.stored.opened.removeAll { $0 == opened } }
      }
    }
  }

  /// Sends this after what was sent before, unless it is on its way already. So the server keeps the last registration.
  private func once(_ path: String, _ body: Value, then: @escaping @MainActor (Landfall, Outcome) -> Void) {
    let key: Value = [.string(path), body]
    guard sending.insert(key).inserted else { return }
    lastReport = Task { [lastReport] in
      await lastReport?.value
      let outcome = await post(path, body)
      sending.remove(key)
      then(self, outcome)
    }
  }
}
