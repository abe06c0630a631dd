import Foundation

extension Landfall {
  /// The first thing that an app calls: heartbeat, then restore. Returns the first link of this start, or nil.
  /// Takes at most 3 s. A link that comes later reaches `onLink`. A second call returns the first one's result.
  /// - Parameter initialLink: the URL that opened the app, if `open` did not get it.
  @discardableResult
  public func start(initialLink: URL? = nil) async -> Link? {
    if let started { return await started.get() }
    let result = Promise<Link?>()
    started = result
    begin(result, initialLink)
    return await result.get()
  }

  private func begin(_ result: Promise<Link?>, _ initialLink: URL?) {
    _ = device()
    if let initialLink { open(initialLink) }
    // The system may have handed the link to `open` before.
    hasLink = opens > 0 || deliverWaiting() || openUnresolved()
    if let lastLink { result.resolve(lastLink) }
    Task { [watch] in
      await watch.sleep(3_000)
      result.resolve(nil)
    }
    if allowed { run() }
    guard hasLink || !allowed else { return }
    Task { [lookUp] in
      await lookUp?.value
      result.resolve(nil)
    }
  }

  /// Delivers the newest link that was not handled. Drops those that are too old, or came too often.
  private func deliverWaiting() -> Bool {
    let left = stored.waiting.filter { isOfToday($0.at) && $0.times < 3 }
    if left.count < stored.waiting.count { stored.waiting = left }
    guard let newest = left.last else { return false }
    deliver(newest.link, at: newest.at, times: newest.times + 1)
    return true
  }

  private func openUnresolved() -> Bool {
    guard let unresolved = stored.unresolved else { return false }
    guard isOfToday(unresolved.at), let url = URL(string: unresolved.url), isOurs(url) else {
      stored.unresolved = nil
      return false
    }
    opens += 1
    lookUp = Task { await take(url, since: unresolved.at) }
    return true
  }

  /// What a start sends. `consent(true)` begins it later, if the start had none.
  func run() {
    guard !ran else { return }
    ran = true
    let (seen, era) = (opens, era)
    Task {
      let evidence = await gather()
      gathered = evidence
      guard allowed, era == self.era else {
        ran = false
        started?.resolve(nil)
        return
      }
      Task { await beat(evidence) }
      let user = user
      if let user { restoredFor.insert(user) }
      if !hasLink {
        firstRestore = Task {
          await restore(evidence, for: user, seen: seen)
          started?.resolve(nil)
        }
      }
      report()
    }
  }

  /// The heartbeat, once a day. Nothing waits for it.
  private func beat(_ evidence: Evidence) async {
    if let last = stored.heartbeatAt, isOfToday(last) { return }
    let era = era
    let body = Value.of(facts.merging(["addressToken": evidence.addressToken.map { .string($0) }]) { $1 })
    if case .answer = await post("/api/deferred-deep-linking/install-heartbeat", body), era == self.era {
      stored.heartbeatAt = watch.now
    }
  }

  /// Asks for the links that were tapped before the install. A first one is tried again.
  /// - Parameters:
  ///   - seen: how many links were opened when this began. The person wants a later one more.
  ///   - late: true for a clipboard that came after the start had gathered its evidence.
  func restore(_ evidence: Evidence, for user: User?, seen: Int, late: Bool = false) async {
    let era = era
    for pause in [2_000, 8_000, nil] {
      let outcome = await post("/api/deferred-deep-linking/restore", body(evidence, user, late))
      guard era == self.era else { return }
      switch outcome {
      case .answer(let answer): return take(answer, seen: seen)
      case .refusal(let failure):
        // Nobody waits for this answer, so a fault of the set-up would not be seen.
        if ![401, 429].contains(failure.status) { problem("The restore was refused: \(failure.message)") }
        return
      case .none: break
      }
      guard !stored.restored, let pause else { return }
      await watch.sleep(pause)
      guard allowed, era == self.era else { return }
    }
  }

  private func body(_ evidence: Evidence, _ user: User?, _ late: Bool) -> Value {
    var fields = facts
    fields["addressToken"] = evidence.addressToken.map { .string($0) }
    fields["userEmail"] = user.map { .string($0.email) }
    fields["identityToken"] = user?.token.map { .string($0) }
    if let installed = Self.milliseconds(system.installedAt) {
      let age = watch.now - installed
      if age >= 0 { fields["installedSecondsAgo"] = .number(Double(age / 1000)) }
    }
    if !stored.restored { fields["installReferrer"] = evidence.installReferrer.map { .string($0) } }
    if !stored.restored || late { fields["clipboard"] = evidence.clipboard.map { .string($0) } }
    return .of(fields)
  }

  private func take(_ answer: Value, seen: Int) {
    var next = stored
    next.restored = true
    let newest = answer["restoredLinks"]?.array?.last { Link(restored: $0) != nil }
    let (link, id) = (newest.flatMap(Link.init(restored:)), newest?["pendingLinkId"]?.string)
    // A restart within seconds gets the same answer again.
    let isRepeated = id != nil && id == stored.restoredId
    next.restoredId = id ?? stored.restoredId
    let isNew = link.map { !isRepeated && !openedLinks.contains(where: $0.isSame) } ?? false
    let isWanted = opens == seen
    if let link, isNew { next.keep(link, at: watch.now, times: isWanted ? 1 : 0) }
    // One write: an app that ends here asks again, or finds the link.
    stored = next
    restoredOne = restoredOne || link != nil
    if let link, isNew, isWanted { hand(link) }
  }
}
