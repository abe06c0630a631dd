import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Landfall {
  /// Why a call failed.
  public struct Failure: Error, Sendable, LocalizedError {
    /// A code of the API, `NO_ANSWER` (no network, or an answer that makes no sense), or `NO_CONSENT`.
    public let code: String
    /// The HTTP status. Nil without an answer.
    public let status: Int?
    /// A sentence for the developer.
    public let message: String
    /// The seconds after which to try again, if the server told them.
    public let retryAfterSeconds: Int?

    public var errorDescription: String? { message }

    static let noAnswer = Failure(
      code: "NO_ANSWER", status: nil, message: "The server did not answer.", retryAfterSeconds: nil)
    static let noConsent = Failure(
      code: "NO_CONSENT", status: nil, message: "Nothing may be sent before consent(true).", retryAfterSeconds: nil)
  }
}

/// What came of a request.
enum Outcome {
  case answer(Landfall.Value)
  /// The server answered no. It makes no sense to ask again now.
  case refusal(Landfall.Failure)
  /// A network fault, a time-out, a page of somebody else, a server that is busy.
  case none

  /// True if it makes no sense to send this again.
  var isFinal: Bool { if case .none = self { false } else { true } }
}

extension Landfall {
  func get(_ path: String, _ query: [String: String], base: URL? = nil, withKey: Bool = true) async -> Outcome {
    let pairs = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }
    return await send("GET", "\(path)?\(pairs.joined(separator: "&"))", base: base, withKey: withKey)
  }

  func post(_ path: String, _ body: Value) async -> Outcome { await send("POST", path, body: body) }

  private func send(
    _ method: String, _ path: String, body: Value? = nil, base: URL? = nil, withKey: Bool = true
  ) async -> Outcome {
    let origin = (base ?? options.url).absoluteString
    guard let url = URL(string: (origin.hasSuffix("/") ? String(origin.dropLast()) : origin) + path) else {
      return .none
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue(client, forHTTPHeaderField: "x-landfall-client")
    if let version = system.appVersion { request.setValue(version, forHTTPHeaderField: "x-app-version") }
    if withKey { request.setValue(options.key, forHTTPHeaderField: "x-service-sdk-key") }
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "content-type")
      request.httpBody = body.json
    }
    guard let (data, response) = try? await transport.send(request) else { return .none }
    let outcome = Self.outcome(data, response)
    if case .refusal(let failure) = outcome, failure.status == 401 { complain(failure) }
    return outcome
  }

  private static func outcome(_ data: Data, _ response: HTTPURLResponse) -> Outcome {
    guard let json = Value(json: data), json.object != nil else { return .none }
    switch response.statusCode {
    case 200: return json["success"]?.bool == true ? .answer(json) : .none
    case 400..<500:
      return .refusal(
        Failure(
          code: json["code"]?.string ?? "REFUSED", status: response.statusCode,
          message: json["error"]?.string ?? "The server refused.",
          retryAfterSeconds: response.value(forHTTPHeaderField: "retry-after").flatMap { Int($0) }))
    default: return .none
    }
  }

  /// Says each fault once in a run. An identity token that is not valid says nothing of the key.
  private func complain(_ refusal: Failure) {
    let sentence =
      refusal.code == "IDENTITY_TOKEN_INVALID"
      ? "The identity token of identify() is not valid. Ask your backend for a new one at each start."
      : "The key is unknown or revoked. Give a key of this app for mobile clients."
    if complaints.insert(sentence).inserted { problem(sentence) }
  }

  private static func encoded(_ text: String) -> String {
    // `urlQueryAllowed` leaves + and &, which mean something else to a server.
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
