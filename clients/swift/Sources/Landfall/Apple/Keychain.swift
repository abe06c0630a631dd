// Not compiled by us: we have no Apple system. It was parsed, and compiled against declarations that we wrote by hand.
#if canImport(UIKit) && os(iOS)
  import Foundation
  import Security

  /// The id of the device in the keychain. The system keeps it when it deletes the app.
  enum Keychain {
    private static var item: [String: Any] {
      [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "landfall",
        kSecAttrAccount as String: "device",
      ]
    }

    /// Reads the id. Makes it the first time. Nil if the keychain is locked: that is so until the first unlock.
    static func id() -> String? {
      var query = item
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      switch SecItemCopyMatching(query as CFDictionary, &found) {
      case errSecSuccess: return (found as? Data).map { String(decoding: $0, as: UTF8.self) }
      case errSecItemNotFound: return add(UUID().uuidString.lowercased())
      default: return nil
      }
    }

    private static func add(_ id: String) -> String? {
      var new = item
      new[kSecValueData as String] = Data(id.utf8)
      // A copy on another phone would make two devices one.
      new[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      return SecItemAdd(new as CFDictionary, nil) == errSecSuccess ? id : nil
    }

    static func delete() { SecItemDelete(item as CFDictionary) }
  }
#endif
