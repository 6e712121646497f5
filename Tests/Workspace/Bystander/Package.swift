// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "Bystander", products: [.library(name: "Bystander", targets: ["Bystander"])],
    targets: [.target(name: "Bystander")])
