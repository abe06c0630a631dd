// Not compiled by us: we have no Apple system. It was parsed, and compiled against declarations that we wrote by hand.
#if canImport(UIKit) && os(iOS)
  import SwiftUI

  extension View {
    /// Starts the client with this view, hands it the links that open the app, and calls `onLink` with each link.
    /// Put it on the root view of the scene.
    public func landfall(
      _ client: Landfall, onLink: @escaping @MainActor (Landfall.Link) -> Void
    ) -> some View {
      modifier(LandfallReceiver(client: client, onLink: onLink))
    }
  }

  private struct LandfallReceiver: ViewModifier {
    let client: Landfall
    let onLink: @MainActor (Landfall.Link) -> Void
    @State private var last = Last()

    /// Systems differ in which of the two calls they make for a universal link. Some make both.
    private final class Last {
      private var url: URL?
      private var at = Date.distantPast

      func isNew(_ url: URL) -> Bool {
        defer { (self.url, at) = (url, Date()) }
        return self.url != url || Date().timeIntervalSince(at) > 1
      }
    }

    func body(content: Content) -> some View {
      content
        .onOpenURL { url in if last.isNew(url) { client.open(url) } }
        .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
          if let url = activity.webpageURL, last.isNew(url) { client.open(url) }
        }
        .task { await client.start() }
        .task { for await link in client.links { onLink(link) } }
    }
  }
#endif
