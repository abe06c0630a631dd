import Foundation

/// The client of Landfall: deep links that survive the install. Make one with `configure`, and call `start` first.
/// All of it runs on the main actor. It sends in the background.
@MainActor
public final class Landfall {
  public static let version = "0.1.0"

  let options: Options
  let system: any LandfallSystem
  let storage: any LandfallStorage
  let transport: any LandfallTransport
  let watch: any Watch
  /// The name and the version that each request tells.
  let client: String
  let randomId: @MainActor () -> String

  /// Each change is written whole before what follows from it.
  var stored: Stored {
    didSet { storage.write(stored == Stored() ? nil : stored.text) }
  }
  /// Links that an earlier run delivered, and that nobody handled.
  let leftBehind: [Link]

  /// The last link that was delivered in this run.
  public internal(set) var lastLink: Link?

  /// Whom `identify` named. Nil until it is called in this run.
  var identity: User??
  /// The result of `start`. Nil before it is called.
  var started: Promise<Link?>?
  /// True once heartbeat and restore were begun in this run.
  var ran = false
  /// True if this run has a link instead of a restore.
  var hasLink = false
  /// How many links were opened in this run, and those that were found.
  var opens = 0
  var openedLinks: [Link] = []
  /// The look-up of the newest opened link.
  var lookUp: Task<Void, Never>?
  /// What the start has gathered, and its restore.
  var gathered = Evidence()
  var firstRestore: Task<Void, Never>?
  /// True if a restore of this run found a link.
  var restoredOne = false
  /// The users of this run's restores, or of the link in their place.
  var restoredFor: Set<User> = []
  /// What is being reported, so that it is not sent twice at once.
  var sending: Set<Value> = []
  var lastReport: Task<Void, Never>?
  /// Counts calls of `forget`. What was begun before one must not store anything after it.
  var era = 0
  /// What onProblem was told of refusals with 401.
  var complaints: Set<String> = []

  private var listeners: [(id: Int, hear: @MainActor (Link) -> Void)] = []
  private var lastListener = 0
  private var unheard: [Link] = []

  init(
    _ options: Options, system: any LandfallSystem, storage: any LandfallStorage, transport: any LandfallTransport,
    watch: any Watch, client: String, randomId: @escaping @MainActor () -> String
  ) {
    self.options = options
    self.system = system
    self.storage = storage
    self.transport = transport
    self.watch = watch
    self.client = client
    self.randomId = randomId
    stored = Stored(storage.read()).ofInstall(at: Self.milliseconds(system.installedAt))
    leftBehind = stored.waiting.filter { $0.times > 0 }.map(\.link)
  }

  /// Makes the client. Sends nothing. On an iPhone, call `configure(_:deviceId:)`.
  public static func configure(
    _ options: Options, system: any LandfallSystem, storage: (any LandfallStorage)? = nil,
    transport: (any LandfallTransport)? = nil
  ) -> Landfall {
    Landfall(
      options, system: system, storage: storage ?? LandfallDefaults(), transport: transport ?? LandfallSession(),
      watch: SystemWatch(), client: "swift/\(version)", randomId: { UUID().uuidString.lowercased() })
  }

  /// A listener of links.
  public struct Listener: Sendable {
    fileprivate let stop: @MainActor @Sendable () -> Void
    /// Ends it: it gets no more links.
    @MainActor public func end() { stop() }
  }

  /// Gets every link, once. Links that came before the first listener wait for it.
  @discardableResult
  public func onLink(_ listener: @escaping @MainActor (Link) -> Void) -> Listener {
    lastListener += 1
    let id = lastListener
    listeners.append((id, listener))
    let early = unheard
    unheard = []
    for link in early { listener(link) }
    return Listener { [weak self] in self?.listeners.removeAll { $0.id == id } }
  }

  /// The links of `onLink` as a sequence: `for await link in landfall.links { … }`.
  public var links: AsyncStream<Link> {
    AsyncStream { stream in
      let listener = onLink { stream.yield($0) }
      stream.onTermination = { _ in Task { @MainActor in listener.end() } }
    }
  }

  /// Stores a link until it is handled, and hands it to the app.
  func deliver(_ link: Link, at: Int, times: Int = 1) {
    stored.keep(link, at: at, times: times)
    hand(link)
  }

  func hand(_ link: Link) {
    var link = link
    link.end = { [weak self, link] in self?.stored.waiting.removeAll { $0.link.isSame(as: link) } }
    lastLink = link
    if listeners.isEmpty { unheard.append(link) }
    for listener in listeners { listener.hear(link) }
    started?.resolve(link)
  }

  /// True if the client may send.
  var allowed: Bool { stored.consent ?? (options.consent == .given) }

  /// The id of the device. Made and stored the first time.
  func device() -> String {
    if let device = stored.device { return device }
    let device = system.deviceId ?? randomId()
    var next = stored
    next.device = device
    next.installedAt = Self.milliseconds(system.installedAt)
    stored = next
    return device
  }

  /// The user who is signed in, as far as this run knows.
  var user: User? { identity ?? nil }

  func problem(_ sentence: String) { options.onProblem(sentence) }

  /// Whether this time is less than a day away, in either direction.
  func isOfToday(_ time: Int) -> Bool { abs(Double(watch.now) - Double(time)) < Double(Self.day) }

  static let day = 86_400_000

  static func milliseconds(_ date: Date?) -> Int? { date.map { Int($0.timeIntervalSince1970 * 1000) } }

  /// Forgets what only this run knows.
  func forgetRun() {
    era += 1
    identity = nil
    lastLink = nil
    unheard = []
    openedLinks = []
    started?.resolve(nil)
  }
}
