// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "CryptoProgram",
    dependencies: [
        .package(name: "llavero", path: "../../..", traits: ["SwiftCrypto"]),
        // In the place of the one of that name that llavero would have fetched.
        .package(path: "../swift-crypto"),
    ],
    targets: [
        .executableTarget(
            name: "CryptoProgram",
            dependencies: [
                .product(name: "CryptoKit", package: "llavero"), .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Security", package: "llavero"),
            ])
    ])
