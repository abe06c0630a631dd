// Declarations of Apple's Security and UserNotifications, and of Firebase, written by hand: see UIKit.swift.
import Foundation

public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFTypeRef = AnyObject
public let kSecClass: CFString = "", kSecClassGenericPassword: CFString = "", kSecAttrService: CFString = ""
public let kSecAttrAccount: CFString = "", kSecReturnData: CFString = "", kSecMatchLimit: CFString = ""
public let kSecMatchLimitOne: CFString = "", kSecValueData: CFString = "", kSecAttrAccessible: CFString = ""
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = ""
public let errSecSuccess: Int32 = 0, errSecItemNotFound: Int32 = -25300

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> Int32 { 0 }
public func SecItemAdd(_ item: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> Int32 { 0 }
@discardableResult public func SecItemDelete(_ query: CFDictionary) -> Int32 { 0 }

public class UNNotificationContent: NSObject { public var userInfo: [AnyHashable: Any] { [:] } }
public class UNNotificationRequest: NSObject { public var content: UNNotificationContent { UNNotificationContent() } }
public class UNNotification: NSObject { public var request: UNNotificationRequest { UNNotificationRequest() } }
public class UNNotificationResponse: NSObject { public var notification: UNNotification { UNNotification() } }

public protocol UNUserNotificationCenterDelegate: AnyObject {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler done: @escaping () -> Void)
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = UNAuthorizationOptions(rawValue: 1)
  public static let sound = UNAuthorizationOptions(rawValue: 2)
  public static let alert = UNAuthorizationOptions(rawValue: 4)
}

public class UNUserNotificationCenter: NSObject {
  public class func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }
  public weak var delegate: (any UNUserNotificationCenterDelegate)?
  public func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool { true }
}
