import Foundation

extension Landfall {
  /// How the client works.
  public struct Options: Sendable {
    /// Whether the client may send before the app calls `consent(true)`.
    public enum Consent: Sendable { case given, required }

    /// The origin of the API: `https://api.example`.
    public var url: URL
    /// A key of the app for mobile clients.
    public var key: String
    /// The hosts of the app's links, without ports.
    public var hosts: [String]
    /// `required`: nothing is sent before `consent(true)`.
    public var consent: Consent
    /// Reads the clipboard at the first start, if it may hold a link of ours. The system asks the person.
    public var clipboard: Bool
    /// The origin of a host with IPv6 only.
    public var ipv6Url: URL?
    /// Gets a sentence for the developer. The default writes it to the log.
    public var onProblem: @MainActor @Sendable (String) -> Void

    public init(
      url: URL, key: String, hosts: [String], consent: Consent = .given, clipboard: Bool = false, ipv6Url: URL? = nil,
      onProblem: @escaping @MainActor @Sendable (String) -> Void = { NSLog("%@", NSString(string: "Landfall: \($0)")) }
    ) {
      self.url = url
      self.key = key
      self.hosts = hosts
      self.consent = consent
      self.clipboard = clipboard
      self.ipv6Url = ipv6Url
      self.onProblem = onProblem
    }
  }

  /// The user who is signed in.
  public struct User: Sendable, Hashable {
    /// The email, or another id that the app's backend uses with Landfall.
    public let email: String
    /// The identity token of the app's backend.
    public let token: String?

    public init(email: String, token: String? = nil) {
      self.email = email
      self.token = token
    }
  }
}
