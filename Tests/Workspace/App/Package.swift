// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let security: [Target.Dependency] = [
    .product(name: "Security", package: "llavero"), .product(name: "LocalAuthentication", package: "llavero"),
]

let package = Package(
    name: "App",
    dependencies: [
        .package(name: "llavero", path: "../../..", traits: ["SwiftCrypto"]), .package(path: "../Bystander"),
        // In the place of the one of that name that llavero would have fetched.
        .package(path: "../swift-crypto"),
    ],
    targets: [
        .target(name: "AppCore", dependencies: security),
        .executableTarget(
            name: "App", dependencies: ["AppCore", .product(name: "Bystander", package: "Bystander")]),
        .executableTarget(
            name: "CryptoProgram",
            dependencies: [
                .product(name: "CryptoKit", package: "llavero"), .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Security", package: "llavero"),
            ]),
        .testTarget(name: "AppTests", dependencies: ["AppCore"] + security),
        .testTarget(name: "AppXCTests", dependencies: ["AppCore"] + security),
    ])
