import XCTest

@testable import Landfall

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Runs against a gateway: LANDFALL_URL is the API, LANDFALL_KEY a mobile key, LANDFALL_HOST a host of links with its port.
/// The gateway must believe `X-Forwarded-For` of this machine.
@MainActor
final class GatewayTests: XCTestCase {
  func testTheFirstStartFindsTheTappedLinkAlsoWhenItWasOfflineBeforeAndTheNextOneNothing() async throws {
    let told = ProcessInfo.processInfo.environment
    guard let url = told["LANDFALL_URL"].flatMap(URL.init), let key = told["LANDFALL_KEY"], let host = told["LANDFALL_HOST"]
    else { throw XCTSkip("No gateway is named.") }
    let home = Home()
    let storage = MemoryStorage()
    let phone = Phone(told: .object(["platform": "ios", "id": .string(UUID().uuidString)]), watch: VirtualWatch(now: 0))
    let client = {
      Landfall.configure(
        .init(url: url, key: key, hosts: [host], onProblem: { _ in }), system: phone, storage: storage, transport: home)
    }

    let link = try await client().create(destination: "/invite?code=7", metadata: ["campaign": "spring"])
    var tap = URLRequest(url: URL(string: link.url)!)
    tap.setValue(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
      forHTTPHeaderField: "user-agent")
    _ = try? await home.send(tap)

    home.isOffline = true
    let offline = await client().start()
    XCTAssertNil(offline)

    home.isOffline = false
    // The app keeps its client.
    let online = client()
    let start = await online.start()
    let found = try XCTUnwrap(start)
    XCTAssertEqual(found.destination, "/invite?code=7")
    XCTAssertEqual(found.match, .address)
    XCTAssertFalse(found.sure)
    XCTAssertEqual(found.metadata["campaign"]?.string, "spring")
    found.handled()

    // The gateway repeats its answer for 15 s. The client knows that it had this one.
    let again = await client().start()
    XCTAssertNil(again)
    let opened = await client().start(initialLink: URL(string: link.url)!)
    XCTAssertEqual(opened?.destination, "/invite?code=7")
  }
}

/// A network with one address.
@MainActor
private final class Home: LandfallTransport {
  var isOffline = false
  private let session = LandfallSession()
  private let address = "198.18.\(UInt8.random(in: 0...255)).\(UInt8.random(in: 1...254))"

  func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    if isOffline { throw URLError(.notConnectedToInternet) }
    var request = request
    request.setValue(address, forHTTPHeaderField: "x-forwarded-for")
    return try await session.send(request)
  }
}
