import XCTest

@testable import Landfall

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(Glibc)
  import Glibc
#endif

/// The URL session, with a server that answers one request over a real socket.
@MainActor
final class SessionTests: XCTestCase {
  func testARequestAndItsAnswer() async throws {
    let body = #"{"success":true}"#
    let server = try Server(
      answer: "HTTP/1.1 200 OK\r\nretry-after: 7\r\ncontent-length: \(body.utf8.count)\r\nconnection: close\r\n\r\n\(body)")
    var request = URLRequest(url: URL(string: "http://127.0.0.1:\(server.port)/api?slug=caf%C3%A9")!)
    request.httpMethod = "POST"
    request.setValue("ol_1", forHTTPHeaderField: "x-service-sdk-key")
    request.httpBody = Data(#"{"a":1}"#.utf8)
    let (data, response) = try await LandfallSession().send(request)
    XCTAssertEqual(String(decoding: data, as: UTF8.self), body)
    XCTAssertEqual(response.statusCode, 200)
    XCTAssertEqual(response.value(forHTTPHeaderField: "Retry-After"), "7")
    let sent = await server.heard.value
    XCTAssertTrue(sent.hasPrefix("POST /api?slug=caf%C3%A9 HTTP/1.1\r\n"), sent)
    XCTAssertTrue(sent.lowercased().contains("\r\nx-service-sdk-key: ol_1\r\n"), sent)
    XCTAssertTrue(sent.hasSuffix("\r\n\r\n{\"a\":1}"), sent)
  }

  func testNobodyAnswers() async throws {
    // The port was free a moment ago, and nobody listens there any more.
    let server = try Server(answer: nil)
    do {
      _ = try await LandfallSession().send(URLRequest(url: URL(string: "http://127.0.0.1:\(server.port)/")!))
      XCTFail("There was an answer.")
    } catch {}
  }
}

private struct Server {
  let port: UInt16
  let heard: Task<String, Never>

  /// Listens on a free port. Without an answer it closes at once.
  init(answer: String?) throws {
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw URLError(.cannotConnectToHost) }
    port = UInt16(bigEndian: address.sin_port)
    guard let answer else {
      close(listener)
      heard = Task { "" }
      return
    }
    heard = Task.detached {
      let connection = accept(listener, nil, nil)
      var bytes: [UInt8] = []
      var some = [UInt8](repeating: 0, count: 4_096)
      // The body ends the request. It may come by itself.
      while !bytes.suffix(1).elementsEqual([UInt8(ascii: "}")]) {
        let count = recv(connection, &some, some.count, 0)
        if count <= 0 { break }
        bytes += some[..<count]
      }
      _ = answer.withCString { send(connection, $0, strlen($0), 0) }
      close(connection)
      close(listener)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
