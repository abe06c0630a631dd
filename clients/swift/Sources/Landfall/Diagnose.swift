import Foundation

extension Landfall {
  /// One check of `diagnose`.
  public struct Finding: Sendable {
    /// What was checked: `server`, `key`, `hosts`, …
    public let check: String
    /// Nil if it could not be tried.
    public let passed: Bool?
    /// What was found.
    public let detail: String
    /// What to do. Nil if it passed.
    public let fix: String?
  }

  /// Checks whether everything is set up. Sends one request. Never throws.
  public func diagnose() async -> [Finding] {
    // The system's evidence is asked first, for 1 s at most.
    let referrer = system.platform == "android" ? await referrerNow() : nil
    let outcome = allowed ? await get("/api/device-check", ["deviceFingerprint": device()]) : .none
    return [server(outcome), key(outcome)] + setUp(outcome.json?["app"], referrer) + device(outcome.json?["device"])
      + [handled()]
  }

  private func server(_ outcome: Outcome) -> Finding {
    if !allowed {
      return .init("server", nil, "Nothing may be sent without consent.", "Call consent(true), then diagnose again.")
    }
    return .init(
      "server", outcome.isOfLandfall, outcome.isFinal ? "\(options.url) answered." : "\(options.url) did not answer.",
      "Check `url`, which has no path, and the network. The API must answer with JSON, over https.")
  }

  private func key(_ outcome: Outcome) -> Finding {
    let fix = "Give the key of this app for mobile clients. The page Keys of the web app makes one."
    switch outcome {
    case .answer: return .init("key", true, "The key was accepted.", fix)
    case .refusal(let failure) where outcome.isOfLandfall:
      let status = failure.status ?? 0
      return .init("key", ![401, 403].contains(status), "The server answered \(status): \(failure.message)", fix)
    case .refusal, .none: return .init("key", nil, "There was no answer of Landfall.", "Make `server` pass first.")
    }
  }

  /// What the answer and the system say of the app. Without an answer its checks are nil.
  private func setUp(_ app: Value?, _ referrer: String?) -> [Finding] {
    let isAndroid = system.platform == "android"
    let installed = system.installedAt
    return [hosts(app)] + (isAndroid ? android(app, referrer) : ios(app)) + [
      .init(
        "install time", installed != nil, installed.map { "The app was installed at \($0)." } ?? "It is not known.",
        "Let the system tell `installedAt`.")
    ]
  }

  private func hosts(_ app: Value?) -> Finding {
    let theirs = app.map { Set(($0["hosts"]?.array ?? []).compactMap(\.string).map(Self.bare)) }
    let ours = Set(options.hosts.map(Self.bare))
    return .answered(
      "hosts", theirs.map { $0 == ours }, "The app has \(Self.list(theirs ?? [])), the client \(Self.list(ours)).",
      "Give `hosts` all hosts of the app: \(Self.list(theirs ?? [])).")
  }

  private func ios(_ app: Value?) -> [Finding] {
    guard system.platform == "ios" else { return [] }
    let id = app.map { $0["ios"]?["appId"]?.string }
    let bundle = id.map { $0?.split(separator: ".", maxSplits: 1).last.map(String.init) }
    return [
      .answered(
        "association", id.map { $0 != nil }, "The app id for iPhones is \((id ?? nil) ?? "missing").",
        "Set the app id (team and bundle id) in the settings of the app in Landfall."),
      sameApp(bundle),
    ]
  }

  private func android(_ app: Value?, _ referrer: String?) -> [Finding] {
    let name = app.map { $0["android"]?["package"]?.string }
    let theirs = app.map { ($0["android"]?["certificates"]?.array ?? []).compactMap(\.string).map(Self.hex) }
    let ours = system.certificates.map { $0.map(Self.hex) }
    let closed = system.opens.map { opens in options.hosts.filter { !opens.map(Self.bare).contains(Self.bare($0)) } }
    return [
      .answered(
        "association", app.map { _ in (name ?? nil) != nil && theirs?.isEmpty == false },
        "The package is \((name ?? nil) ?? "missing"), with \(theirs?.count ?? 0) certificates.",
        "Set package and certificate in the settings of the app in Landfall."),
      sameApp(name),
      .answered(
        "certificate", ours.flatMap { ours in theirs.map { !$0.filter(ours.contains).isEmpty } },
        "The app is signed with \(Self.list(ours ?? [])).", "Add this certificate to the app in Landfall."),
      .init(
        "intent filter", closed.map(\.isEmpty), closed.map { "Not opened by the app: \(Self.list($0))." } ?? "Not known.",
        "Add an intent filter with autoVerify for each host."),
      .init(
        "install referrer", referrer != nil, referrer.map { "It is \($0)." } ?? "The system told none.",
        "Let the system tell `installReferrer`."),
    ]
  }

  private func sameApp(_ theirs: String??) -> Finding {
    let passed = system.appId.flatMap { ours in theirs.map { $0 == ours } }
    return .answered(
      "app", passed, "This app is \(system.appId ?? "not known"), the one in Landfall \((theirs ?? nil) ?? "not known").",
      "Use the key of this app, or set its id in Landfall.")
  }

  private func device(_ device: Value?) -> [Finding] {
    let beat = device.map { $0["heartbeatSecondsAgo"]?.number }
    let restore = device.map { $0["restore"]?.object }
    let found = (restore ?? nil).map { "\($0["found"]?.whole ?? 0) links: \($0["why"]?.string ?? "")" }
    return [
      .answered(
        "heartbeat", beat.map { ($0 ?? .infinity) <= 25 * 3_600 },
        (beat ?? nil).map { "The last one came \(String(format: "%.0f", $0)) s ago." } ?? "None came.",
        "Call start() at every start of the app."),
      .answered(
        "restore", restore.map { $0 != nil }, found ?? "None was answered.", "Call start() without an initial link."),
    ]
  }

  private func handled() -> Finding {
    let left = leftBehind.filter { link in stored.waiting.contains { $0.link.isSame(as: link) } }
    return .init(
      "handled", left.isEmpty,
      left.isEmpty ? "No link waits." : "Still waiting: \(Self.list(left.map(\.destination))).",
      "Call handled() on a link when the person has arrived.")
  }

  private func referrerNow() async -> String? {
    let found = Promise<String?>()
    Task { found.resolve(await system.installReferrer()) }
    Task { [watch] in
      await watch.sleep(1_000)
      found.resolve(nil)
    }
    return await found.get()
  }

  private static func hex(_ certificate: String) -> String { certificate.lowercased().filter { $0 != ":" } }

  private static func list(_ items: some Collection<String>) -> String {
    items.isEmpty ? "none" : items.sorted().joined(separator: ", ")
  }
}

extension Landfall.Finding {
  fileprivate init(_ check: String, _ passed: Bool?, _ detail: String, _ fix: String) {
    self.check = check
    self.passed = passed
    self.detail = detail
    self.fix = passed == true ? nil : fix
  }

  /// A check that needs the answer. It could not be tried without it, or if the system tells nothing.
  fileprivate static func answered(_ check: String, _ passed: Bool?, _ detail: String, _ fix: String) -> Self {
    passed == nil
      ? .init(check, nil, "It could not be tried.", "Make `server` and `key` pass, and let the system tell its part.")
      : .init(check, passed, detail, fix)
  }
}

extension Outcome {
  fileprivate var json: Landfall.Value? { if case .answer(let json) = self { json } else { nil } }
  /// The route of `diagnose` has no 404: another server says it, or `url` has a path.
  fileprivate var isOfLandfall: Bool {
    switch self {
    case .answer: true
    case .refusal(let failure): failure.status != 404
    case .none: false
    }
  }
}
