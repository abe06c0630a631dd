// swift-tools-version: 5.9
import PackageDescription

let package = Package(
  name: "Landfall",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: [.library(name: "Landfall", targets: ["Landfall"])],
  targets: [
    .target(name: "Landfall", resources: [.copy("Apple/PrivacyInfo.xcprivacy")]),
    .testTarget(name: "LandfallTests", dependencies: ["Landfall"]),
  ]
)
