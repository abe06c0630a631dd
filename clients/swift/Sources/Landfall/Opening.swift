import Foundation

extension Landfall {
  /// Whether a URL is a link of the app: https or http, a host of `hosts`, and a path that is more than `/`.
  public func isOurs(_ url: URL) -> Bool { slug(of: url) != nil }

  /// Takes a URL that reached the app. Its link reaches `onLink`. Returns whether the URL is ours.
  @discardableResult
  public func open(_ url: URL) -> Bool {
    guard isOurs(url) else { return false }
    opens += 1
    lookUp = Task { await take(url, since: nil) }
    return true
  }

  /// Asks what a link says, and delivers nothing. Nil if there is no such link.
  /// - Throws: `Failure`
  public func resolve(_ url: URL) async throws -> Link? {
    guard isOurs(url) else { return nil }
    guard allowed else { throw Failure.noConsent }
    switch await look(up: url) {
    case .answer(let answer):
      guard let link = Self.link(in: answer) else { throw Failure.noAnswer }
      return link
    case .refusal(let failure):
      if failure.status == 404 { return nil }
      throw failure
    case .none: throw Failure.noAnswer
    }
  }

  /// Looks an opened link up, three times at most. What has no answer is kept for the next start.
  /// - Parameter since: when it was opened, if that was in an earlier run.
  func take(_ url: URL, since: Int?) async {
    let era = era
    for pause in [2_000, 8_000, nil] {
      let outcome = await look(up: url)
      guard era == self.era else { return }
      if outcome.isFinal, stored.unresolved?.url == url.absoluteString { stored.unresolved = nil }
      switch outcome {
      case .answer(let answer):
        guard let link = Self.link(in: answer) else { return problem("The answer for \(url) has no path of the app.") }
        openedLinks.append(link)
        return deliver(link, at: watch.now)
      case .refusal(let failure):
        // Of a wrong key it was said already.
        if failure.status != 401 { problem("The link \(url) cannot be opened: \(failure.message)") }
        return
      case .none:
        guard let pause else {
          stored.unresolved = .init(url: url.absoluteString, at: since ?? watch.now)
          return
        }
        await watch.sleep(pause)
        guard era == self.era else { return }
      }
    }
  }

  private static func link(in answer: Value) -> Link? {
    answer["link"].flatMap { Link($0, via: .direct, match: .link) }
  }

  /// Without consent there is no key: such a look-up is not counted.
  private func look(up url: URL) async -> Outcome {
    guard let slug = slug(of: url), let host = url.host else { return .none }
    return await get("/api/links/get-by-slug", ["slug": slug, "hostname": host.lowercased()], withKey: allowed)
  }

  /// The path without the slashes at its ends, decoded. Nil for a URL that is not ours.
  private func slug(of url: URL) -> String? {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      ["https", "http"].contains(parts.scheme?.lowercased() ?? ""), let host = parts.host,
      options.hosts.contains(where: { Self.bare($0) == host.lowercased() })
    else { return nil }
    let path = parts.percentEncodedPath.trimmingCharacters(in: ["/"])
    return path.isEmpty ? nil : path.removingPercentEncoding ?? path
  }

  /// A host in small letters, without what people write around it: `https://Shop.example:443/` is `shop.example`.
  static func bare(_ host: String) -> String {
    let small = host.lowercased()
    let start = small.range(of: "://")?.upperBound ?? small.startIndex
    return String(small[start...].prefix { $0 != ":" && $0 != "/" })
  }
}
