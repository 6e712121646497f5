// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "Plain", dependencies: [.package(name: "llavero", path: "../../..")],
    targets: [.target(name: "Plain", dependencies: [.product(name: "Security", package: "llavero")])])
