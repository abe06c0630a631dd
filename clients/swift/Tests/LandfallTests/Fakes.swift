import Foundation

@testable import Landfall

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

typealias Value = Landfall.Value

/// Lets everything run that needs no time. All of the client and of the fakes runs on the main actor, in order.
@MainActor
func settle() async {
  _ = onMainActor
  for _ in 0..<60 { await Task.yield() }
}

/// Makes async functions of no actor, such as the value of a task, run on the main actor, too. Else they run on other
/// threads, and on a busy machine `settle` ends before them. The runtime of Swift has this hook for such tests.
private let onMainActor: Void = {
  typealias Original = @convention(thin) (UnownedJob) -> Void
  typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
  let hook = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook")!
  hook.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in MainActor.shared.enqueue(job) }
}()

/// A clock that goes on when the test says so.
@MainActor
final class VirtualWatch: Watch {
  var now: Int
  private var timers: [(due: Int, wake: UnsafeContinuation<Void, Never>)] = []

  init(now: Int) { self.now = now }

  func sleep(_ milliseconds: Int) async {
    await withUnsafeContinuation { timers.append((now + milliseconds, $0)) }
  }

  func advance(_ milliseconds: Int) async {
    let end = now + milliseconds
    await settle()
    while let index = timers.indices.filter({ timers[$0].due <= end }).min(by: { timers[$0].due < timers[$1].due }) {
      let timer = timers.remove(at: index)
      now = timer.due
      timer.wake.resume()
      await settle()
    }
    now = end
    await settle()
  }

  /// Ends the run: nothing that sleeps wakes up.
  func kill(_ milliseconds: Int) {
    timers = []
    now += milliseconds
  }
}

@MainActor
final class MemoryStorage: LandfallStorage {
  var text: String?
  init(_ text: String? = nil) { self.text = text }
  func read() -> String? { text }
  func write(_ text: String?) { self.text = text }
}

/// A network that answers when the test says so.
@MainActor
final class Network: LandfallTransport {
  typealias Reply = (Data, HTTPURLResponse)
  struct Call {
    let request: URLRequest
    let reply: UnsafeContinuation<Reply, any Error>
  }

  /// The requests that no step has taken yet.
  var calls: [Call] = []

  func send(_ request: URLRequest) async throws -> Reply {
    try await withUnsafeThrowingContinuation { calls.append(Call(request: request, reply: $0)) }
  }
}

extension Network.Call {
  func fail() { reply.resume(throwing: URLError(.notConnectedToInternet)) }

  /// Answers with `status`, `headers`, and `json` or `text`.
  func answer(_ answer: Value) {
    let body = answer["json"]?.json ?? Data((answer["text"]?.string ?? "").utf8)
    self.answer(body, status: answer["status"]?.whole ?? 0, headers: (answer["headers"]?.object ?? [:]).compactMapValues(\.string))
  }

  func answer(_ body: Data, status: Int, headers: [String: String] = [:]) {
    let response = HTTPURLResponse(
      url: request.url!, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)!
    reply.resume(returning: (body, response))
  }
}

/// A phone that tells what a vector says.
@MainActor
struct Phone: LandfallSystem {
  let told: Value
  let watch: VirtualWatch

  var platform: String { told["platform"]?.string ?? "" }
  var osVersion: String? { told["osVersion"]?.string }
  var model: String? { told["model"]?.string }
  var language: String? { told["language"]?.string }
  var appVersion: String? { told["appVersion"]?.string }
  var appId: String? { told["appId"]?.string }
  var installedAt: Date? { told["installedAt"]?.string.map(Story.date) }
  var deviceId: String? { told["id"]?.string }
  var certificates: [String]? { told["certificates"]?.array?.compactMap(\.string) }
  var opens: [String]? { told["opens"]?.array?.compactMap(\.string) }
  func forgetDeviceId() {}
  func clipboard() async -> String? { await value("clipboard") }
  func installReferrer() async -> String? { await value("installReferrer") }

  private func value(_ name: String) async -> String? {
    guard let late = told[name]?["afterMs"]?.whole else { return told[name]?.string }
    await watch.sleep(late)
    return told[name]?["value"]?.string
  }
}
