import XCTest

@testable import Landfall

/// Answers that a broken server, proxy or hotel may give. Whatever comes, the app goes on.
@MainActor
final class FuzzTests: XCTestCase {
  /// The same answers each time.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  private var dice = Dice(state: 20_261_128)

  func testAnswersThatMakeNoSense() async throws {
    let values = try Story.read("values")
    let link = Story.whole(["$": "restored link"], values)
    let found = Story.whole(["$": "found"], values)["json"]!
    let check = try Story.read("diagnose")["steps"]!.array!.compactMap { $0["answer"]?["json"] }.last!
    let waiting = Value.object(link.object!.merging(["via": "deferred", "match": "token"]) { $1 })
    let stored: Value = [
      "heartbeatAt": 1, "waiting": [["at": 1_795_867_200_000, "times": 1, "link": waiting]], "unregister": ["t"],
      "unresolved": ["url": "https://shop.links.example/a", "at": 1_795_867_200_000],
      "push": ["token": "t", "options": ["language": "de"], "user": "u", "answeredAt": 1],
      "restoredId": "r",
    ]
    var delivered = 0
    for round in 0..<200 {
      let run = newRun(stored: mutated(stored, 4))
      let client = run.client
      let got = Got()
      client.onLink { got.links.append($0) }
      Task { got.started = .some(await client.start()) }
      if round % 2 == 0 { client.open(URL(string: "https://shop.links.example/a")!) }
      Task { _ = try? await client.create(destination: "/a") }
      Task { got.findings = await client.diagnose() }
      for _ in 0..<4 {
        await settle()
        for call in run.network.calls {
          let path = call.request.url!.path
          let whole: Value =
            path.hasSuffix("restore")
            ? ["success": true, "restoredLinks": [link, link]] : path.hasSuffix("device-check") ? check : found
          let status = [200, 200, 200, 401, 404, 500, 204].randomElement(using: &dice)!
          call.answer(mutated(whole, 1 + round % 4), status: status, headers: ["retry-after": "soon"])
        }
        run.network.calls = []
        await run.watch.advance(8_000)
      }
      XCTAssertTrue(got.started != nil, "start() of round \(round) has not returned")
      XCTAssertEqual(got.findings?.count, 9)
      XCTAssertTrue(got.links.allSatisfy { $0.path.hasPrefix("/") && !$0.path.hasPrefix("//") })
      delivered += got.links.count
    }
    // Some answers are still good: the test sends no mere noise.
    XCTAssertGreaterThan(delivered, 20)
    print("200 rounds of fuzzed answers, \(delivered) links")
  }

  func testPushesThatMakeNoSense() async throws {
    let client = newRun(stored: Data()).client
    for _ in 0..<200 {
      let data = mutated(["notificationId": "n", "destinationPath": "/a?b=%zz&c", "metadata": "{\"a\":1}"], 2)
      if let link = client.push.opened(Value(json: data) ?? .null) { XCTAssertTrue(link.destination.hasPrefix("/")) }
    }
    let odd: [AnyHashable: Any] = [7: "a", "destinationPath": "/a", "date": Date(), "aps": ["alert": ["title": "A"]]]
    XCTAssertEqual(client.push.opened(odd)?.destination, "/a")
  }

  @MainActor
  private final class Got {
    var links: [Landfall.Link] = []
    var started: Landfall.Link??
    var findings: [Landfall.Finding]?
  }

  /// JSON with other values in it, and now and then with other bytes.
  private func mutated(_ value: Value, _ changes: Int) -> Data {
    var value = value
    for _ in 0..<changes where Bool.random(using: &dice) { value = changed(value) }
    var bytes = [UInt8](value.json)
    if Int.random(in: 0..<5, using: &dice) == 0 {
      bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
    }
    if Int.random(in: 0..<8, using: &dice) == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &dice)) }
    return Data(bytes)
  }

  /// One value, somewhere inside, is another.
  private func changed(_ value: Value) -> Value {
    switch value {
    case .object(var fields) where !fields.isEmpty:
      let name = fields.keys.sorted().randomElement(using: &dice)!
      fields[name] = changed(fields[name]!)
      return .object(fields)
    case .array(var items) where !items.isEmpty:
      let index = items.indices.randomElement(using: &dice)!
      items[index] = changed(items[index])
      return .array(items)
    default:
      let others: [Value] = [
        .null, true, false, -1, 1e300, 0.5, "", "/", "//evil.example", "\u{0}\u{202E}", [], [[]], ["": .null],
        .string(String(repeating: "/a", count: 5_000)),
      ]
      return others.randomElement(using: &dice)!
    }
  }
}
