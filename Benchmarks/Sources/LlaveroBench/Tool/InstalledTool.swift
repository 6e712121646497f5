// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The command line tool as install.sh builds it, under both of its names.
final class InstalledTool {
    private let folder: TemporaryFolder
    let path: String

    /// Nil where it was not built.
    init?() throws {
        guard let program = InstalledTool.program else { return nil }
        path = program
        folder = try TemporaryFolder()
        for name in ["llavero", "security"] {
            try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: program)
        }
    }

    func llavero(_ arguments: [String], _ environment: [String]) -> Child {
        Child(program: folder.path + "/llavero", arguments: arguments, environment: environment)
    }

    /// `security`, that finds one of the passwords the benchmark's keychains are filled with.
    func find(_ item: BenchItem, _ environment: [String]) -> Child {
        Child(
            program: folder.path + "/security",
            arguments: ["find-generic-password", "-s", BenchItem.service, "-a", item.account, "-w"],
            environment: environment)
    }

    /// Where a variable says, else where `make release` leaves it.
    private static let program: String? = {
        let path = ProcessInfo.processInfo.environment["LLAVERO_TOOL"] ?? ".build/install/release/llavero"
        let absolute = URL(fileURLWithPath: path).path
        return access(absolute, X_OK) == 0 ? absolute : nil
    }()
}
