import Foundation

/// What the client remembers, as one JSON text. Times are in milliseconds since 1970.
struct Stored: Equatable {
  /// A link that was delivered or found, and not handled.
  struct Waiting {
    let link: Landfall.Link
    let at: Int
    let times: Int
  }

  /// An opened link that could not be looked up.
  struct Unresolved: Equatable {
    let url: String
    let at: Int
  }

  struct Registration: Equatable {
    let token: String
    let options: [String: Landfall.Value]
    var user: String?
    var answeredAt: Int?
  }

  struct Opened: Hashable {
    let notificationId: String
    let deviceToken: String?
  }

  var device: String?
  var installedAt: Int?
  var heartbeatAt: Int?
  var restored = false
  /// The id that the server gave to the last restored link. It repeats an answer for some seconds.
  var restoredId: String?
  var consent: Bool?
  var waiting: [Waiting] = []
  var unresolved: Unresolved?
  var push: Registration?
  var unregister: [String] = []
  var opened: [Opened] = []

  /// Keeps a link that was not handled: at most five, the newest last.
  mutating func keep(_ link: Landfall.Link, at: Int, times: Int) {
    let others = waiting.filter { !$0.link.isSame(as: link) }
    waiting = Array((others + [Waiting(link: link, at: at, times: times)]).suffix(5))
  }

  /// This, if the app was installed at this time. Empty for another one: a backup brought the value, perhaps from another
  /// phone.
  func ofInstall(at time: Int?) -> Stored {
    guard let time else { return self }
    let isOfThisInstall = installedAt.map { abs(Double(time) - Double($0)) <= 60_000 } ?? true
    var kept = isOfThisInstall ? self : Stored()
    kept.installedAt = time
    return kept
  }

  static func == (a: Stored, b: Stored) -> Bool { a.value == b.value }
}

extension Stored {
  /// Reads what `text` wrote. A field that makes no sense counts as none.
  init(_ text: String?) {
    guard let value = text.flatMap({ Landfall.Value(json: Data($0.utf8)) }) else { return }
    device = value["device"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    installedAt = value["installedAt"]?.whole
    heartbeatAt = value["heartbeatAt"]?.whole
    restored = value["restored"]?.bool ?? false
    restoredId = value["restoredId"]?.string
    consent = value["consent"]?.bool
    waiting = (value["waiting"]?.array ?? []).compactMap(Waiting.init)
    unresolved = value["unresolved"].flatMap(Unresolved.init)
    push = value["push"].flatMap(Registration.init)
    unregister = (value["unregister"]?.array ?? []).compactMap(\.string)
    opened = (value["opened"]?.array ?? []).compactMap(Opened.init)
  }

  var text: String { String(decoding: value.json, as: UTF8.self) }

  private var value: Landfall.Value {
    [
      "device": .of(device), "installedAt": .of(installedAt), "heartbeatAt": .of(heartbeatAt),
      "restored": .bool(restored), "restoredId": .of(restoredId),
      "consent": consent.map { .bool($0) } ?? .null, "waiting": .array(waiting.map(\.value)),
      "unresolved": unresolved?.value ?? .null, "push": push?.value ?? .null,
      "unregister": .array(unregister.map { .string($0) }), "opened": .array(opened.map(\.value)),
    ]
  }
}

extension Landfall.Value {
  fileprivate static func of(_ text: String?) -> Self { text.map { .string($0) } ?? .null }
  fileprivate static func of(_ whole: Int?) -> Self { whole.map { .number(Double($0)) } ?? .null }
}

extension Stored.Waiting {
  init?(_ value: Landfall.Value) {
    guard let link = value["link"].flatMap(Landfall.Link.init(stored:)), let at = value["at"]?.whole,
      let times = value["times"]?.whole
    else { return nil }
    self.init(link: link, at: at, times: times)
  }

  var value: Landfall.Value { ["link": link.stored, "at": .of(at), "times": .of(times)] }
}

extension Stored.Unresolved {
  init?(_ value: Landfall.Value) {
    guard let url = value["url"]?.string, let at = value["at"]?.whole else { return nil }
    self.init(url: url, at: at)
  }

  var value: Landfall.Value { ["url": .string(url), "at": .of(at)] }
}

extension Stored.Registration {
  init?(_ value: Landfall.Value) {
    guard let token = value["token"]?.string else { return nil }
    self.init(
      token: token, options: value["options"]?.object ?? [:], user: value["user"]?.string,
      answeredAt: value["answeredAt"]?.whole)
  }

  var value: Landfall.Value {
    ["token": .string(token), "options": .object(options), "user": .of(user), "answeredAt": .of(answeredAt)]
  }
}

extension Stored.Opened {
  init?(_ value: Landfall.Value) {
    guard let id = value["notificationId"]?.string else { return nil }
    self.init(notificationId: id, deviceToken: value["deviceToken"]?.string)
  }

  /// It is the body of the report, too.
  var value: Landfall.Value {
    .of(["notificationId": .string(notificationId), "deviceToken": deviceToken.map { .string($0) }])
  }
}
