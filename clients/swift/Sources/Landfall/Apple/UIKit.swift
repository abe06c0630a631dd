// Not compiled by us: we have no Apple system. It was parsed, and compiled against declarations that we wrote by hand.
#if canImport(UIKit) && os(iOS)
  import UIKit

  extension Landfall {
    /// Takes the activity with which the system hands a link to the running app: `scene(_:continue:)`.
    /// Returns whether it is a link of ours.
    @discardableResult
    public func open(_ activity: NSUserActivity) -> Bool {
      guard activity.activityType == NSUserActivityTypeBrowsingWeb, let url = activity.webpageURL else { return false }
      return open(url)
    }

    /// Takes the link that started the app: `scene(_:willConnectTo:options:)`. The system does not call
    /// `scene(_:continue:)` for it. Call it before `start`. Returns whether there is a link of ours.
    @discardableResult
    public func open(_ options: UIScene.ConnectionOptions) -> Bool {
      options.userActivities.contains { open($0) }
    }

    /// Takes what the person pasted with `UIPasteControl`: `paste(itemProviders:)`. The system asks no question then.
    /// Call it after `start`, if that had no link. What it finds reaches `onLink`.
    public func paste(_ items: [NSItemProvider]) {
      guard let item = items.first else { return }
      Task { if let text = await item.landfallText() { paste(text) } }
    }
  }
#endif
