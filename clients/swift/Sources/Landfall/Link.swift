import Foundation

extension Landfall {
  /// Where a person wants to go.
  public struct Link: Sendable {
    /// How the link came.
    public enum Via: String, Sendable {
      /// It was opened in the app.
      case direct
      /// It was tapped before the install.
      case deferred
      /// It came with a push.
      case push
    }

    /// How a deferred link was found. `link` for the others.
    public enum Match: String, Sendable { case token, account, device, address, link }

    /// The path with its query: `/invite?code=7`.
    public let destination: String
    /// The parameters of the query, and the metadata that the backend gave.
    public let parameters: [String: Value]
    /// The metadata of the link.
    public let metadata: [String: Value]
    /// The id of the link. Nil for a push without one.
    public let linkId: String?
    public let via: Via
    public let match: Match
    var end: @MainActor @Sendable () -> Void = {}

    /// The path alone: `/invite`.
    public var path: String { String(destination.prefix { $0 != "?" && $0 != "#" }) }

    /// False if only the address of the network named this person. Ask it before you show what only they may see.
    public var sure: Bool { match != .address }

    /// Ends the link. One that was not handled comes again at the next start, three times at most.
    @MainActor public func handled() { end() }
  }
}

extension Landfall.Link {
  /// Reads a link of an answer. Nil if it has no path of the app: an answer must not send people elsewhere.
  init?(_ answer: Landfall.Value, via: Via, match: Match) {
    guard let destination = answer["destination"]?.string, Self.isPath(destination) else { return nil }
    self.destination = destination
    parameters = answer["parameters"]?.object ?? [:]
    metadata = answer["metadata"]?.object ?? [:]
    linkId = ["linkId", "link_id", "id"].lazy.compactMap { answer[$0]?.string }.first { !$0.isEmpty }
    self.via = via
    self.match = match
  }

  /// Reads one of `restoredLinks`. An unknown kind of match is as weak as the weakest.
  init?(restored answer: Landfall.Value) {
    let kinds: [String: Match] = ["token": .token, "email": .account, "fingerprint": .device]
    self.init(answer, via: .deferred, match: kinds[answer["matchType"]?.string ?? ""] ?? .address)
  }

  init?(stored value: Landfall.Value) {
    guard let via = value["via"]?.string.flatMap(Via.init), let match = value["match"]?.string.flatMap(Match.init)
    else { return nil }
    self.init(value, via: via, match: match)
  }

  var stored: Landfall.Value {
    .of([
      "destination": .string(destination), "parameters": .object(parameters), "metadata": .object(metadata),
      "linkId": linkId.map { .string($0) }, "via": .string(via.rawValue), "match": .string(match.rawValue),
    ])
  }

  /// Two taps of one link are the same.
  func isSame(as other: Self) -> Bool {
    linkId == other.linkId && (linkId != nil || destination == other.destination)
  }

  /// `//host` and `/\host` are addresses of other hosts for a web view.
  static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/") && !text.hasPrefix("//") && !text.hasPrefix("/\\")
  }

  /// The parameters of a path's query. The last one of a name counts.
  static func parameters(of path: String) -> [String: Landfall.Value] {
    guard let query = path.split(separator: "#", omittingEmptySubsequences: false)[0]
      .split(separator: "?", maxSplits: 1).dropFirst().first
    else { return [:] }
    var found: [String: Landfall.Value] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      found[decoded(parts[0])] = .string(parts.count == 2 ? decoded(parts[1]) : "")
    }
    return found
  }

  private static func decoded(_ text: Substring) -> String {
    let spaced = text.replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
}
