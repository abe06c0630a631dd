import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the system tells. On an iPhone the package has one; on another platform the app gives its own.
/// What is nil is not told, and left out of the requests.
@MainActor
public protocol LandfallSystem {
  /// `ios` or `android`.
  var platform: String { get }
  var osVersion: String? { get }
  /// The model as the vendor names it: `iPhone15,3`.
  var model: String? { get }
  /// The language of the person, as in BCP 47: `de-AT`.
  var language: String? { get }
  /// The version of the app.
  var appVersion: String? { get }
  /// The bundle id without the team, or the package.
  var appId: String? { get }
  /// When the app was installed.
  var installedAt: Date? { get }
  /// An id of the device that outlives the app. Without one the client makes its own.
  var deviceId: String? { get }
  /// Deletes `deviceId`: the next one is another.
  func forgetDeviceId()
  /// The text on the clipboard, if it may be a link of ours. Asked once, with the option `clipboard`.
  func clipboard() async -> String?
  /// The install referrer of Google Play.
  func installReferrer() async -> String?
  /// SHA-256 of the certificates that signed the app, in hexadecimal. Android.
  var certificates: [String]? { get }
  /// The hosts of which the system says that they open the app. Android.
  var opens: [String]? { get }
}

/// What an Apple system does not have.
extension LandfallSystem {
  public func installReferrer() async -> String? { nil }
  public var certificates: [String]? { nil }
  public var opens: [String]? { nil }
}

/// Keeps one text.
@MainActor
public protocol LandfallStorage {
  /// Reads the text. Nil if there is none.
  func read() -> String?
  /// Replaces the text. Nil deletes it.
  func write(_ text: String?)
}

/// Keeps the text in the user defaults, below the key `landfall`.
@MainActor
public struct LandfallDefaults: LandfallStorage {
  private let defaults: UserDefaults

  public init(_ defaults: UserDefaults = .standard) { self.defaults = defaults }

  public func read() -> String? { defaults.string(forKey: "landfall") }

  public func write(_ text: String?) {
    if let text { defaults.set(text, forKey: "landfall") } else { defaults.removeObject(forKey: "landfall") }
  }
}

/// Sends a request. Throws if there was no answer.
@MainActor
public protocol LandfallTransport {
  func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse)
}

/// Sends with a URL session of its own: no cookies, no cache, 15 s for a request.
@MainActor
public struct LandfallSession: LandfallTransport {
  private let session: URLSession

  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 15
    configuration.timeoutIntervalForResource = 15
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
  }

  public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    // The callback is there on every platform. The async one is not.
    try await withCheckedThrowingContinuation { done in
      let task = session.dataTask(with: request) { data, response, error in
        if let data, let response = response as? HTTPURLResponse {
          done.resume(returning: (data, response))
        } else {
          done.resume(throwing: error ?? URLError(.badServerResponse))
        }
      }
      task.resume()
    }
  }
}

/// The clock, so that tests need not wait.
@MainActor
protocol Watch {
  /// Milliseconds since 1970.
  var now: Int { get }
  func sleep(_ milliseconds: Int) async
}

struct SystemWatch: Watch {
  var now: Int { Int(Date().timeIntervalSince1970 * 1000) }
  func sleep(_ milliseconds: Int) async { try? await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000) }
}

/// A value that comes later. The first one counts.
@MainActor
final class Promise<Value: Sendable> {
  private var value: Value?
  private var waiting: [CheckedContinuation<Value, Never>] = []

  func resolve(_ given: Value) {
    guard value == nil else { return }
    value = given
    for one in waiting { one.resume(returning: given) }
    waiting = []
  }

  func get() async -> Value {
    if let value { return value }
    return await withCheckedContinuation { waiting.append($0) }
  }

  var isResolved: Bool { value != nil }
}
