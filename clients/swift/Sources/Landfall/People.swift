import Foundation

extension Landfall {
  /// Names the user who is signed in, or nobody. Call it at every start, before or after `start`. It is kept in memory
  /// alone. Links that this user tapped on other devices reach `onLink`. Pushes go to this user from now on.
  public func identify(_ user: User?) {
    identity = .some(user)
    if let user { Task { await restore(for: user) } }
    register()
  }

  /// A user who was not part of this run's restore gets one of their own, when the start is over.
  private func restore(for user: User) async {
    guard let started else { return }
    _ = await started.get()
    guard allowed, ran, identity == .some(user), restoredFor.insert(user).inserted else { return }
    var evidence = gathered
    evidence.clipboard = nil
    await restore(evidence, for: user, seen: opens)
  }

  /// Allows or forbids to send. It is stored. `true` does what the start has left out. `false` unregisters the device.
  public func consent(_ on: Bool) {
    let was = allowed
    if !on { push.unregister() }
    stored.consent = on
    guard on, !was else { return }
    if started != nil, !ran { run() } else { report() }
  }

  /// Deletes everything that the client stored, and unregisters the device. The next start is that of a new device.
  public func forget() {
    let registered = allowed ? [stored.push?.token].compactMap { $0 } : []
    let tokens = registered + stored.unregister
    forgetRun()
    // The token alone stays, until the server knows.
    var next = Stored()
    next.unregister = tokens
    stored = next
    system.forgetDeviceId()
    unregisterAll()
  }

  /// A link that was made.
  public struct Created: Sendable {
    public let id: String
    public let slug: String
    /// The link for people.
    public let url: String
    public let destination: String
    public let metadata: [String: Value]
  }

  /// Makes a link.
  /// - Parameters:
  ///   - destination: the path of the app, with its query: `/invite?code=7`
  ///   - metadata: more for the app, or for figures
  /// - Throws: `Failure`
  public func create(destination: String, metadata: [String: Value]? = nil) async throws -> Created {
    guard allowed else { throw Failure.noConsent }
    let body = Value.of(["destination": .string(destination), "metadata": metadata.map { .object($0) }])
    switch await post("/api/links/create-sdk", body) {
    case .answer(let answer):
      guard let link = answer["link"], let id = link["id"]?.string, let slug = link["slug"]?.string,
        let url = link["url"]?.string, let destination = link["destination"]?.string
      else { throw Failure.noAnswer }
      return Created(
        id: id, slug: slug, url: url, destination: destination, metadata: link["metadata"]?.object ?? [:])
    case .refusal(let failure): throw failure
    case .none: throw Failure.noAnswer
    }
  }
}
