import XCTest

@testable import Landfall

@MainActor
final class StoriesTests: XCTestCase {
  func testEachStory() async throws {
    XCTAssertGreaterThan(Story.names.count, 40, "There are no vectors in \(Story.folder.path)")
    for name in Story.names {
      do {
        try await Story(name).play()
      } catch {
        XCTFail("\(name): \(error)")
      }
    }
    print("\(Story.names.count) stories")
  }
}
