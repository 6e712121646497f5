// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// A stand-in for Apple's swift-crypto, which the machines that test do not fetch: the names that the product CryptoKit uses
// where a package has asked for swift-crypto, and nothing of what is behind them.

import PackageDescription

let package = Package(
    name: "swift-crypto", products: [.library(name: "Crypto", targets: ["Crypto"])],
    targets: [.target(name: "Crypto", linkerSettings: [.linkedLibrary("crypto")])])
