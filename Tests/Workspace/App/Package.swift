// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let security: [Target.Dependency] = [
    .product(name: "Security", package: "llavero"), .product(name: "LocalAuthentication", package: "llavero"),
]

let package = Package(
    name: "App",
    dependencies: [.package(name: "llavero", path: "../../.."), .package(path: "../Bystander")],
    targets: [
        .target(name: "AppCore", dependencies: security),
        .executableTarget(
            name: "App", dependencies: ["AppCore", .product(name: "Bystander", package: "Bystander")]),
        .testTarget(name: "AppTests", dependencies: ["AppCore"] + security),
        .testTarget(name: "AppXCTests", dependencies: ["AppCore"] + security),
    ])
