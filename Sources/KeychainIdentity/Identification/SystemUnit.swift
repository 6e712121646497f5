// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The service of the system that a process belongs to.
package enum SystemUnit {
    /// The unit that the text of /proc/PID/cgroup names; nil when it names none, or one of a user.
    ///
    /// A user's own manager may move processes between the units below its own, so those say nothing. Below a unit of
    /// the system the service itself may make groups (Delegate=); they do not count.
    package static func named(in text: String) -> String? {
        var paths: [Substring] = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            // systemd keeps its own hierarchy, the unified one, or both with the same path.
            if fields[1] == "name=systemd" || (fields[0] == "0" && fields[1].isEmpty) { paths.append(fields[2]) }
        }
        guard let path = paths.first, paths.allSatisfy({ $0 == path }) else { return nil }
        return unit(at: path)
    }

    /// Whether `name` can be the name of a service at all.
    static func isService(_ name: String) -> Bool {
        name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count && !name.contains(byte: UInt8(ascii: "/"))
            // A user's manager is a unit of the system, and everything of that user is below it.
            && !name.hasPrefix("user@")
    }

    private static func unit(at path: Substring) -> String? {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard components.first?.isEmpty == true, components.count > 2, components[1] == "system.slice" else {
            return nil
        }
        for component in components.dropFirst() {
            guard !component.isEmpty, component != ".." else { return nil }
            if component.hasSuffix(".slice") { continue }
            let name = String(component)
            return isService(name) ? name : nil
        }
        return nil
    }

    private static let suffix = ".service"
}
