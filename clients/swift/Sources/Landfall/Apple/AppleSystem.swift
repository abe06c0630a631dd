// Not compiled by us: we have no Apple system. It was parsed, and compiled against declarations that we wrote by hand.
#if canImport(UIKit) && os(iOS)
  import UIKit

  extension Landfall {
    /// Which id names the device.
    public enum DeviceId: Sendable {
      /// A random one of this install. A reinstall is a new device.
      case install
      /// A random one in the keychain. It survives a reinstall, so Landfall gives nothing to a reinstalled app.
      case keychain
    }

    /// Makes the client. Sends nothing.
    public static func configure(_ options: Options, deviceId: DeviceId = .install) -> Landfall {
      configure(options, system: AppleSystem(kind: deviceId))
    }
  }

  struct AppleSystem: LandfallSystem {
    let kind: Landfall.DeviceId

    let platform = "ios"

    var osVersion: String? { UIDevice.current.systemVersion }

    /// `iPhone15,3`. `UIDevice` says `iPhone` for all of them.
    var model: String? {
      if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] { return simulated }
      var name = utsname()
      uname(&name)
      return withUnsafeBytes(of: &name.machine) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }

    var language: String? { Locale.preferredLanguages.first }
    var appVersion: String? { Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String }
    var appId: String? { Bundle.main.bundleIdentifier }

    /// An update keeps the container of the documents, so it is as old as the install.
    var installedAt: Date? {
      guard let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first else { return nil }
      return try? folder.resourceValues(forKeys: [.creationDateKey]).creationDate
    }

    var deviceId: String? { kind == .keychain ? Keychain.id() : nil }

    func forgetDeviceId() { Keychain.delete() }

    /// Looks first whether there may be a URL at all: that needs no question to the person.
    func clipboard() async -> String? {
      let board = UIPasteboard.general
      guard board.hasStrings || board.hasURLs,
        let patterns = try? await board.detectedPatterns(for: [\.probableWebURL]),
        patterns.contains(\.probableWebURL)
      else { return nil }
      // `board.string` would hold the main thread until the person has answered.
      return await board.itemProviders.first?.landfallText()
    }
  }

  extension NSItemProvider {
    /// The text, or the address of a URL.
    func landfallText() async -> String? {
      await withCheckedContinuation { done in
        if canLoadObject(ofClass: String.self) {
          _ = loadObject(ofClass: String.self) { @Sendable text, _ in done.resume(returning: text) }
        } else if canLoadObject(ofClass: URL.self) {
          _ = loadObject(ofClass: URL.self) { @Sendable url, _ in done.resume(returning: url?.absoluteString) }
        } else {
          done.resume(returning: nil)
        }
      }
    }
  }
#endif
