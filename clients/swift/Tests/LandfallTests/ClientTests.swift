import XCTest

@testable import Landfall

/// What the vectors do not say, because it is the way of this language or of its systems.
@MainActor
final class ClientTests: XCTestCase {
  private let url = URL(string: "https://shop.links.example/a")!
  private let found: Value = ["status": 200, "json": ["success": true, "link": ["destination": "/a", "id": "1"]]]
  private let none: Value = ["status": 200, "json": ["success": true, "restoredLinks": []]]
  private let one: Value = [
    "status": 200, "json": ["success": true, "restoredLinks": [["destination": "/b", "linkId": "2", "matchType": "token"]]],
  ]

  func testLinksWaitForTheFirstListener() async {
    let run = newRun()
    run.client.open(url)
    await settle()
    run.network.calls.removeFirst().answer(found)
    await settle()
    var heard: [String] = []
    let listener = run.client.onLink { heard.append("first \($0.path)") }
    run.client.onLink { heard.append("second \($0.path)") }
    XCTAssertEqual(heard, ["first /a"])
    listener.end()
    run.client.open(url)
    await settle()
    run.network.calls.removeFirst().answer(found)
    await settle()
    XCTAssertEqual(heard, ["first /a", "second /a"])
  }

  func testASequenceOfLinks() async {
    let run = newRun()
    let links = run.client.links
    run.client.open(url)
    await settle()
    run.network.calls.removeFirst().answer(found)
    var all = links.makeAsyncIterator()
    let link = await all.next()
    XCTAssertEqual(link?.path, "/a")
  }

  func testWhatCountsAsAnAnswer() async {
    let cases: [(answer: Value, code: String?)] = [
      (found, nil), (["status": 200, "json": ["link": ["destination": "/a"]]], "NO_ANSWER"),
      (["status": 201, "json": found["json"]!], "NO_ANSWER"), (["status": 503, "json": ["code": "BUSY"]], "NO_ANSWER"),
      (["status": 403, "text": "<html>"], "NO_ANSWER"), (["status": 403, "json": ["code": "NO"]], "NO"),
    ]
    for (answer, code) in cases {
      let run = newRun()
      let call = Task { try await run.client.resolve(url) }
      await settle()
      run.network.calls.removeFirst().answer(answer)
      let result = await call.result
      var thrown: Landfall.Failure?
      if case .failure(let error) = result { thrown = error as? Landfall.Failure }
      XCTAssertEqual(thrown?.code, code, "\(answer)")
    }
  }

  func testALinkThatWasResolvedLateIsForgotten() async {
    let run = newRun(stored: Data(#"{"unresolved":{"url":"\#(url)","at":1795867200000}}"#.utf8))
    let start = Task { await run.client.start() }
    await settle()
    run.network.calls.removeFirst().answer(found)
    let link = await start.value
    XCTAssertEqual(link?.path, "/a")
    XCTAssertNil(run.client.stored.unresolved)
  }

  /// A scene gets the URL that opened the app before it calls `start`.
  func testALinkThatIsOpenedBeforeTheStartIsItsLink() async {
    let run = newRun()
    run.client.open(url)
    let start = Task { await run.client.start() }
    await settle()
    XCTAssertEqual(run.paths, ["/api/links/get-by-slug", "/api/deferred-deep-linking/install-heartbeat"])
    run.network.calls.removeFirst().answer(found)
    let link = await start.value
    XCTAssertEqual(link?.path, "/a")
  }

  func testALinkThatWasOpenedDoesNotComeAgainByARestore() async {
    let run = newRun()
    var heard: [String] = []
    run.client.onLink { heard.append($0.path) }
    run.client.open(url)
    await settle()
    run.network.calls.removeFirst().answer(found)
    await settle()
    let link = await run.client.start()
    XCTAssertEqual(link?.path, "/a")
    await settle()
    run.client.identify(.init(email: "ada@example.com"))
    await settle()
    run.network.calls[1].answer(["status": 200, "json": ["success": true, "restoredLinks": [["destination": "/a", "linkId": "1"]]]])
    await settle()
    XCTAssertEqual(heard, ["/a"])
  }

  func testTheKeyAndTheIdentityTokenHaveASentenceEach() async {
    let run = newRun()
    Task { await run.client.start() }
    run.client.push.register("t")
    await settle()
    let refusal: Value = ["status": 401, "json": ["error": "no", "code": "IDENTITY_TOKEN_INVALID"]]
    for _ in 0..<2 { run.network.calls.removeFirst().answer(refusal) }
    run.network.calls.removeFirst().answer(["status": 401, "json": ["error": "no"]])
    await settle()
    XCTAssertEqual(run.client.complaints.count, 2)
  }

  /// The system asks the person. That takes longer than the second for which a start gathers evidence.
  func testAClipboardThatComesLateIsSentByItself() async {
    let run = newRun(told: ["clipboard": ["afterMs": 5_000, "value": "https://shop.links.example/a?lf_clip=x"]])
    var heard: [String] = []
    run.client.onLink { heard.append($0.path) }
    Task { await run.client.start() }
    await run.watch.advance(1_000)
    XCTAssertEqual(run.paths.count, 2)
    XCTAssertNil(run.body(1)["clipboard"])
    run.network.calls.remove(at: 1).answer(none)
    await run.watch.advance(4_000)
    XCTAssertEqual(run.body(1)["clipboard"], "https://shop.links.example/a?lf_clip=x")
    run.network.calls.remove(at: 1).answer(one)
    await settle()
    XCTAssertEqual(heard, ["/b"])
  }

  func testALateClipboardWaitsForTheRestoreAndIsNotSentAfterALink() async {
    for (answer, count) in [(one, 0), (none, 1)] {
      let run = newRun(told: ["clipboard": ["afterMs": 1_500, "value": "https://shop.links.example/a"]])
      Task { await run.client.start() }
      await run.watch.advance(4_000)
      XCTAssertEqual(run.paths.count, 2)
      run.network.calls.removeFirst().fail()
      run.network.calls.removeFirst().answer(answer)
      await settle()
      XCTAssertEqual(run.paths.count, count)
    }
  }

  func testAClipboardWithSomethingElseIsNotSent() async {
    let run = newRun(told: ["clipboard": "my password"])
    Task { await run.client.start() }
    await settle()
    XCTAssertNil(run.body(1)["clipboard"])
    run.network.calls.remove(at: 1).answer(none)
    run.client.paste("my password")
    await settle()
    XCTAssertEqual(run.paths.count, 1)
  }

  /// An app may register before it says who is signed in. That must not sign the user out.
  func testARegistrationKeepsTheUserOfBefore() async {
    let stored = #"{"push":{"token":"t","options":{},"user":"ada@example.com","answeredAt":1795867200000}}"#
    let run = newRun(stored: Data(stored.utf8))
    run.client.push.register("t")
    await settle()
    XCTAssertEqual(run.paths, [])
    run.client.push.register("new")
    await settle()
    XCTAssertEqual(run.body(0)["userEmail"], "ada@example.com")
    run.client.identify(nil)
    await settle()
    XCTAssertEqual(run.paths.count, 1, "The second registration waits for the first one.")
    run.network.calls.removeFirst().answer(["status": 200, "json": ["success": true]])
    await settle()
    XCTAssertEqual(run.body(0), ["deviceToken": "new", "platform": "ios"])
  }

  func testATokenOfAppleIsHexadecimal() async {
    let run = newRun()
    run.client.push.register(Data([0x0A, 0xFF]), environment: .sandbox)
    await settle()
    XCTAssertEqual(run.body(0), ["deviceToken": "0aff", "environment": "sandbox", "platform": "ios"])
  }

  func testNothingIsStoredAfterForgetWhileAnAnswerIsOnItsWay() async {
    let run = newRun()
    Task { await run.client.start() }
    await settle()
    run.client.forget()
    for call in run.network.calls { call.answer(one) }
    await settle()
    XCTAssertNil(run.storage.text)
    XCTAssertNil(run.client.lastLink)
  }
}

/// A client whose network and clock wait for the test.
@MainActor
struct TestRun {
  let client: Landfall
  let network: Network
  let watch: VirtualWatch
  let storage: MemoryStorage

  var paths: [String] { network.calls.map { $0.request.url!.path } }
  func body(_ index: Int) -> Value { network.calls[index].request.httpBody.flatMap { Value(json: $0) } ?? .null }
}

@MainActor
func newRun(stored: Data = Data(), told: [String: Value] = [:]) -> TestRun {
  let watch = VirtualWatch(now: 1_795_867_200_000)
  let network = Network()
  let storage = MemoryStorage(stored.isEmpty ? nil : String(decoding: stored, as: UTF8.self))
  let client = Landfall(
    .init(
      url: URL(string: "https://api.example/")!, key: "ol_1", hosts: ["shop.links.example"], clipboard: true,
      onProblem: { _ in }),
    system: Phone(told: .object(["platform": "ios"].merging(told) { $1 }), watch: watch), storage: storage,
    transport: network, watch: watch, client: "test/1.0.0", randomId: { "d" })
  return TestRun(client: client, network: network, watch: watch, storage: storage)
}
