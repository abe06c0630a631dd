import Foundation

@testable import Landfall

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One run of an app in a story.
@MainActor
final class Run {
  let client: Landfall
  let network = Network()
  private let key: String
  private var started: [Value] = []
  private var starts = 0
  private var links: [Landfall.Link] = []
  private var last: Landfall.Link?
  private var problems: [String] = []
  private var returned: [Result<Value, Landfall.Failure>] = []
  private var findings: [Landfall.Finding]?
  private var named: [String: Network.Call] = [:]
  private let heard = Heard()

  /// What listeners write to: they exist before the run does.
  @MainActor
  private final class Heard { weak var run: Run? }

  init(
    device: Value, configure: Value, watch: VirtualWatch, storage: MemoryStorage,
    randomId: @escaping @MainActor () -> String
  ) {
    let heard = heard
    key = configure["key"]?.string ?? "ol_00000000000000000000000000000001"
    let options = Landfall.Options(
      url: URL(string: "https://api.example")!, key: key, hosts: (configure["hosts"]?.array ?? []).compactMap(\.string),
      consent: configure["consent"]?.string == "required" ? .required : .given,
      clipboard: configure["clipboard"]?.bool ?? false, ipv6Url: configure["ipv6Url"]?.string.flatMap { URL(string: $0) },
      onProblem: { heard.run?.problems.append($0) })
    client = Landfall(
      options, system: Phone(told: device, watch: watch), storage: storage, transport: network, watch: watch,
      client: "test/1.0.0", randomId: randomId)
    heard.run = self
    client.onLink { heard.run?.links.append($0) }
  }

  func expectNothingLeft() throws {
    if let call = network.calls.first { throw Story.Wrong(description: "a request is left: \(call.request.url!)") }
    if let link = links.first { throw Story.Wrong(description: "a link is left: \(link.destination)") }
  }

  /// Steps that meet a request.
  func asks(_ step: Value) throws -> Bool {
    if let name = step["answer"]?.string {
      named[name]?.answer(step["with"] ?? .null)
    } else if let name = step["fault"]?.string, step["request"] == nil {
      named[name]?.fail()
    } else if let line = step["request"]?.string {
      guard !network.calls.isEmpty else { throw Story.Wrong(description: "there is no request") }
      let call = network.calls.removeFirst()
      try expect(call.request, line, step)
      if let name = step["as"]?.string { named[name] = call }
      if step["fault"] != nil { call.fail() }
      if let answer = step["answer"] { call.answer(answer) }
    } else {
      return false
    }
    return true
  }

  private func expect(_ request: URLRequest, _ line: String, _ step: Value) throws {
    let parts = URLComponents(url: request.url!, resolvingAgainstBaseURL: false)!
    try same(.string("\(request.httpMethod!) \(parts.path)"), .string(line))
    try same(.string(parts.host!), step["host"] ?? "api.example")
    let query = (parts.queryItems ?? []).map { ($0.name, Value.string($0.value ?? "")) }
    try same(.object(Dictionary(uniqueKeysWithValues: query)), step["query"] ?? [:])
    try same(request.httpBody.flatMap { Value(json: $0) } ?? .null, step["body"] ?? .null)
    var headers = step["headers"]?.object ?? [:]
    if headers["x-service-sdk-key"] == nil { headers["x-service-sdk-key"] = step["key"] == false ? .null : .string(key) }
    if headers["x-landfall-client"] == nil { headers["x-landfall-client"] = "test/1.0.0" }
    for (name, expected) in headers {
      try same(request.value(forHTTPHeaderField: name).map { .string($0) } ?? .null, expected)
    }
  }

  /// Steps that are a call of the app.
  func calls(_ step: Value) throws -> Bool {
    if let start = step["start"] {
      let link = start["initialLink"]?.string.flatMap { URL(string: $0) }
      starts += 1
      Task { started.append((await client.start(initialLink: link))?.value ?? .null) }
    } else if let url = step["open"]?.string {
      try same(.bool(client.open(URL(string: url)!)), step["ours"] ?? true)
    } else if step["handled"] != nil {
      last?.handled()
    } else if let on = step["consent"]?.bool {
      client.consent(on)
    } else if let user = step["identify"] {
      client.identify(user["email"]?.string.map { .init(email: $0, token: user["token"]?.string) })
    } else if let token = step["register"]?.string {
      let options = step["options"]
      client.push.register(
        token, language: options?["language"]?.string,
        environment: options?["environment"]?.string.flatMap { .init(rawValue: $0) })
    } else if step["unregister"] != nil {
      client.push.unregister()
    } else if step["forget"] != nil {
      client.forget()
    } else if let data = step["opened"] {
      try same(client.push.opened(data)?.value ?? .null, step["returns"] ?? .null)
    } else if let url = step["resolve"]?.string {
      give { try await self.client.resolve(URL(string: url)!)?.value ?? .null }
    } else if let input = step["create"] {
      give {
        let link = try await self.client.create(
          destination: input["destination"]?.string ?? "", metadata: input["metadata"]?.object)
        return [
          "id": .string(link.id), "slug": .string(link.slug), "url": .string(link.url),
          "destination": .string(link.destination), "metadata": .object(link.metadata),
        ]
      }
    } else if step["diagnose"] != nil {
      Task { findings = await client.diagnose() }
    } else {
      return false
    }
    return true
  }

  private func give(_ call: @escaping @MainActor () async throws -> Value) {
    Task {
      do {
        returned.append(.success(try await call()))
      } catch let failure as Landfall.Failure {
        returned.append(.failure(failure))
      }
    }
  }

  /// Steps that say what the app has got.
  func expects(_ step: Value) throws -> Bool {
    if let link = step["started"] {
      guard !started.isEmpty else { throw Story.Wrong(description: "start() has not returned") }
      starts -= 1
      try same(started.removeFirst(), link)
    } else if step["starting"] != nil {
      guard started.isEmpty, starts > 0 else { throw Story.Wrong(description: "start() has returned") }
    } else if let expected = step["link"] {
      guard !links.isEmpty else { throw Story.Wrong(description: "there is no link") }
      last = links.removeFirst()
      try same(last!.value, expected)
    } else if let word = step["problem"]?.string {
      guard !problems.isEmpty else { throw Story.Wrong(description: "there is no problem") }
      let sentence = problems.removeFirst()
      guard word.isEmpty || sentence.contains(word) else { throw Story.Wrong(description: sentence) }
    } else if let expected = step["returned"] {
      guard case .success(let value)? = returned.first else { throw Story.Wrong(description: "\(returned)") }
      returned.removeFirst()
      try same(value, expected)
    } else if let expected = step["threw"] {
      guard case .failure(let failure)? = returned.first else { throw Story.Wrong(description: "\(returned)") }
      returned.removeFirst()
      let all: Value = [
        "code": .string(failure.code), "status": failure.status.map { .number(Double($0)) } ?? .null,
        "retryAfterSeconds": failure.retryAfterSeconds.map { .number(Double($0)) } ?? .null,
      ]
      for (name, value) in expected.object ?? [:] { try same(all[name] ?? .null, value) }
    } else if let expected = step["findings"]?.array {
      guard let findings else { throw Story.Wrong(description: "diagnose() has not returned") }
      try same(.array(findings.map(\.value)), .array(expected))
      for finding in findings where finding.detail.isEmpty || (finding.fix?.isEmpty ?? true) != (finding.passed == true) {
        throw Story.Wrong(description: "\(finding) has no detail, or no fix where it needs one")
      }
    } else {
      return false
    }
    return true
  }
}

extension Landfall.Link {
  var value: Value {
    [
      "destination": .string(destination), "path": .string(path), "parameters": .object(parameters),
      "metadata": .object(metadata), "linkId": linkId.map { .string($0) } ?? .null, "via": .string(via.rawValue),
      "match": .string(match.rawValue), "sure": .bool(sure),
    ]
  }
}

extension Landfall.Finding {
  var value: Value { ["check": .string(check), "passed": passed.map { .bool($0) } ?? .null] }
}
