// Declarations of Apple, written by hand from its documentation: see UIKit.swift.
@_exported import UIKit

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor var body: Body { get }
}

@resultBuilder
public struct ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

extension Never: View { public var body: Never { fatalError() } }

public struct Some: View { public var body: Never { fatalError() } }

public struct ModifiedContent<Modifier>: View { public var body: Never { fatalError() } }

@MainActor @preconcurrency
public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = ModifiedContent<Self>
  @ViewBuilder @MainActor func body(content: Content) -> Body
}

@propertyWrapper
public struct State<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}

public protocol ObservableObject: AnyObject {}

@propertyWrapper
public struct Published<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}

@propertyWrapper
public struct Binding<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}

@MainActor @propertyWrapper
public struct ObservedObject<Value: ObservableObject> {
  @dynamicMemberLookup
  public struct Wrapper {
    public subscript<Field>(dynamicMember path: ReferenceWritableKeyPath<Value, Field>) -> Binding<Field> { fatalError() }
  }
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
  public var projectedValue: Wrapper { Wrapper() }
}

@MainActor @propertyWrapper
public struct UIApplicationDelegateAdaptor<Delegate: UIApplicationDelegate> {
  public init(_: Delegate.Type) {}
  public var wrappedValue: Delegate { fatalError() }
}

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @MainActor var body: Body { get }
  init()
}

extension App { public static func main() {} }

public protocol Scene {}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct NavigationStack<Root: View>: View {
  public init(path: Binding<[String]>, @ViewBuilder root: () -> Root) {}
  public var body: Never { fatalError() }
}

public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { fatalError() }
}

public struct PasteButton: View {
  public init(payloadType: String.Type, onPaste: @escaping ([String]) -> Void) {}
  public var body: Never { fatalError() }
}

extension View {
  public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> some View { Some() }
  public func onOpenURL(perform: @escaping (URL) -> Void) -> some View { Some() }
  public func onContinueUserActivity(_ type: String, perform: @escaping (NSUserActivity) -> Void) -> some View { Some() }
  public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { Some() }
  public func navigationDestination<Content: View>(
    for type: String.Type, @ViewBuilder destination: @escaping (String) -> Content
  ) -> some View { Some() }
}
