// Declarations of Apple, written by hand from its documentation. They let `check` find wrong types in the parts for
// iPhones. They do nothing, and they may be wrong themselves.
@_exported import Foundation

public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

open class NSUserActivity: NSObject {
  public var activityType: String { "" }
  public var webpageURL: URL?
}

open class NSItemProvider: NSObject {
  public func canLoadObject<T>(ofClass: T.Type) -> Bool { false }
  public func loadObject<T>(
    ofClass: T.Type, completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
  ) -> Progress { Progress(totalUnitCount: 1) }
}

@MainActor
open class UIDevice: NSObject {
  public static let current = UIDevice()
  public var systemVersion: String { "" }
}

open class UIPasteboard: NSObject {
  public class var general: UIPasteboard { UIPasteboard() }
  public struct DetectedValues { public var probableWebURL: String }
  public var hasStrings: Bool { false }
  public var hasURLs: Bool { false }
  public var itemProviders: [NSItemProvider] { [] }
  public func detectedPatterns(
    for keyPaths: Set<PartialKeyPath<DetectedValues>>
  ) async throws -> Set<PartialKeyPath<DetectedValues>> { [] }
}

@MainActor
open class UIResponder: NSObject {
  public override init() {}
  open var pasteConfiguration: UIPasteConfiguration?
  open func paste(itemProviders: [NSItemProvider]) {}
}

public class UIPasteConfiguration: NSObject {
  public init(acceptableTypeIdentifiers: [String]) {}
}

@MainActor
open class UIView: UIResponder {
  public func addSubview(_ view: UIView) {}
}

@MainActor
open class UIPasteControl: UIView {
  public weak var target: UIResponder?
}

@MainActor
open class UIViewController: UIResponder {
  public var view: UIView!
  public var title: String?
  open func viewDidLoad() {}
}

@MainActor
open class UINavigationController: UIViewController {
  public init(rootViewController: UIViewController) {}
  public func pushViewController(_ controller: UIViewController, animated: Bool) {}
}

@MainActor
open class UIScene: UIResponder {
  public class ConnectionOptions: NSObject {
    public var userActivities: Set<NSUserActivity> { [] }
  }
}

public class UISceneSession: NSObject {}

@MainActor
open class UIWindowScene: UIScene {}

@MainActor
open class UIWindow: UIView {
  public init(windowScene: UIWindowScene) {}
  public var rootViewController: UIViewController?
  public func makeKeyAndVisible() {}
}

@MainActor
public protocol UIWindowSceneDelegate: NSObject {
  var window: UIWindow? { get set }
  func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions)
  func scene(_ scene: UIScene, continue activity: NSUserActivity)
}

@MainActor
open class UIApplication: UIResponder {
  public struct LaunchOptionsKey: Hashable {}
  public func registerForRemoteNotifications() {}
}

@MainActor
public protocol UIApplicationDelegate: NSObject {
  init()
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?) -> Bool
  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data)
}

extension UIApplicationDelegate {
  public static func main() {}
}
