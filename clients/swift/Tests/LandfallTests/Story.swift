import Foundation

@testable import Landfall

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A vector: what happens to an app, step by step. `clients/vectors/README.md` says what the steps mean.
@MainActor
final class Story {
  /// What went wrong, and at which step.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../vectors").standardizedFileURL

  static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".json") && $0 != "values.json" }.map { String($0.dropLast(5)) }.sorted()

  static func read(_ name: String) throws -> Value {
    let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
    guard let value = Value(json: data) else { throw Wrong(description: "\(name).json is no JSON") }
    return value
  }

  /// Puts the values in for which `$` stands.
  static func whole(_ value: Value, _ values: Value) -> Value {
    switch value {
    case .array(let items): return .array(items.map { whole($0, values) })
    case .object(var fields):
      let base = fields.removeValue(forKey: "$")?.string.flatMap { values[$0] }.map { whole($0, values) }
      return .object((base?.object ?? [:]).merging(fields.mapValues { whole($0, values) }) { $1 })
    default: return value
    }
  }

  static func date(_ text: String) -> Date { ISO8601DateFormatter().date(from: text)! }

  let steps: [Value]
  let watch: VirtualWatch
  let storage: MemoryStorage
  var device: [String: Value]
  var configure: [String: Value]
  var run: Run!
  private var ids = 0

  init(_ name: String) throws {
    let story = Self.whole(try Self.read(name), try Self.read("values"))
    steps = story["steps"]?.array ?? []
    watch = VirtualWatch(now: Int(Self.date(story["now"]!.string!).timeIntervalSince1970 * 1000))
    storage = MemoryStorage(story["storage"]?.string)
    device = story["device"]?.object ?? [:]
    configure = story["configure"]?.object ?? [:]
    begin()
  }

  /// Starts the app: a new client with the same storage.
  func begin() {
    run = Run(
      device: .object(device), configure: .object(configure), watch: watch, storage: storage,
      randomId: { [unowned self] in
        ids += 1
        return "11111111-1111-4111-8111-11111111111\(ids)"
      })
  }

  func play() async throws {
    for (index, step) in steps.enumerated() {
      do {
        try await play(step)
        await settle()
      } catch let wrong as Wrong {
        throw Wrong(description: "step \(index + 1), \(String(decoding: step.json.prefix(300), as: UTF8.self)): \(wrong)")
      }
    }
    try run.expectNothingLeft()
  }

  private func play(_ step: Value) async throws {
    if let changes = step["kill"] {
      try run.expectNothingLeft()
      watch.kill(changes["clock"]?.whole ?? 0)
      device.merge(changes["device"]?.object ?? [:]) { $1 }
      configure.merge(changes["configure"]?.object ?? [:]) { $1 }
      begin()
    } else if let milliseconds = step["wait"]?.whole {
      await watch.advance(milliseconds)
    } else if let stored = step["stored"]?.object {
      let value = storage.text.flatMap { Value(json: Data($0.utf8)) }
      for (name, expected) in stored { try same(value?[name] ?? .null, expected) }
    } else if try !run.asks(step), try !run.calls(step), try !run.expects(step) {
      throw Wrong(description: "nobody knows this step")
    }
  }
}

/// Throws if two values differ.
func same(_ value: Value, _ expected: Value) throws {
  guard value != expected else { return }
  let texts = [value, expected].map { String(decoding: $0.json, as: UTF8.self) }
  throw Story.Wrong(description: "\(texts[0]) is not \(texts[1])")
}
