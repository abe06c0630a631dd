import Foundation

/// What names this phone beside its facts.
struct Evidence {
  var addressToken: String?
  var installReferrer: String?
  var clipboard: String?
}

/// Evidence that is being gathered.
@MainActor
private final class Gathering {
  var evidence = Evidence()
  var isOver = false
}

extension Landfall {
  /// What the system tells at once. Heartbeat and restore have it.
  var facts: [String: Value?] {
    [
      "deviceFingerprint": .string(device()), "platform": .string(system.platform),
      "osVersion": system.osVersion.map { .string($0) }, "model": system.model.map { .string($0) },
      "language": system.language.map { .string($0) },
    ]
  }

  /// Gathers evidence for a start, for 1 s at most. What is not there by then is left out.
  func gather() async -> Evidence {
    let gathering = Gathering()
    let isFirst = !stored.restored && !hasLink
    var jobs: [Task<Void, Never>] = []
    if isFirst {
      jobs.append(Task { gathering.evidence.installReferrer = await system.installReferrer() })
    }
    if isFirst, options.clipboard {
      let (seen, era) = (opens, era)
      jobs.append(
        Task {
          guard let text = await system.clipboard(), mayName(text) else { return }
          // A person needs longer than 1 s for the question of the system.
          if gathering.isOver { await restoreLate(text, seen: seen, era: era) } else { gathering.evidence.clipboard = text }
        })
    }
    if let base = options.ipv6Url {
      let query = ["deviceFingerprint": device()]
      jobs.append(
        Task {
          if case .answer(let answer) = await get("/api/address", query, base: base) {
            gathering.evidence.addressToken = answer["addressToken"]?.string
          }
        })
    }
    let all = jobs
    await atMost(1_000) { for job in all { await job.value } }
    gathering.isOver = true
    return gathering.evidence
  }

  /// Takes a text that the person pasted, for example with a button of the system that needs no question.
  /// Call it after `start`, if that had no link. What it finds reaches `onLink`.
  public func paste(_ text: String) {
    guard mayName(text) else { return }
    let (seen, era) = (opens, era)
    Task { await restoreLate(text, seen: seen, era: era) }
  }

  /// Whether a text may name a tap. Nothing else of a clipboard is sent.
  private func mayName(_ text: String) -> Bool {
    URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines)).map(isOurs) ?? false
  }

  /// Asks once more with a text of the clipboard, when the restore of the start is over, if this run has found nothing.
  private func restoreLate(_ text: String, seen: Int, era: Int) async {
    guard let started else { return }
    _ = await started.get()
    await firstRestore?.value
    guard allowed, era == self.era, !restoredOne, lastLink == nil else { return }
    if let user { restoredFor.insert(user) }
    var evidence = gathered
    evidence.clipboard = text
    await restore(evidence, for: user, seen: seen, late: true)
  }

  /// Waits for the work, but no longer than this.
  private func atMost(_ milliseconds: Int, _ work: @escaping @MainActor () async -> Void) async {
    let done = Promise<Bool>()
    Task {
      await work()
      done.resolve(true)
    }
    Task { [watch] in
      await watch.sleep(milliseconds)
      done.resolve(false)
    }
    _ = await done.get()
  }
}
