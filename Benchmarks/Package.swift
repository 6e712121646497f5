// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Scripts/bench.sh builds and runs this; it is a package of its own so that no user of Llavero compiles it.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
let security: Target.Dependency = .product(name: "Security", package: "llavero")

let localAuthentication: Target.Dependency = .product(name: "LocalAuthentication", package: "llavero")

let package = Package(
    name: "llavero-benchmarks",
    products: [
        .executable(name: "llavero-bench", targets: ["LlaveroBench"]),
        .executable(name: "llavero-cold", targets: ["LlaveroCold"]),
        .executable(name: "llavero-client", targets: ["LlaveroClient"]),
    ],
    // By name: otherwise it would be called after the folder of the clone.
    dependencies: [.package(name: "llavero", path: "..", traits: ["TPM"])],
    targets: [
        // SQLite and OpenSSL for the limit, which must not go through any of our own code.
        .systemLibrary(name: "CLimit", pkgConfig: "sqlite3 libcrypto"),
        .executableTarget(
            name: "LlaveroBench", dependencies: [security, localAuthentication, "CLimit"],
            swiftSettings: settings),
        // What a program that only looks up one password does; measured from the outside.
        .executableTarget(name: "LlaveroCold", dependencies: [security], swiftSettings: settings),
        // A program that asks a daemon, of which several are started.
        .executableTarget(name: "LlaveroClient", dependencies: [security], swiftSettings: settings),
    ]
)
