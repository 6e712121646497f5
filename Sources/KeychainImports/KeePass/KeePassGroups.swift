// SPDX-License-Identifier: Apache-2.0

/// The groups that are open where an export is read, from the outermost on.
internal struct KeePassGroups {
    private struct Group {
        var name = ""
        var identifier = ""
        /// With the names of the enclosing groups; built on first use, and shared by its entries.
        var path: String?
        var isPathCut = false
        /// The number of elements around it.
        let depth: Int
    }

    private var open: [Group] = []

    /// The number of elements around the innermost.
    internal var depth: Int? { open.last?.depth }
    internal var name: String { open.last?.name ?? "" }

    internal mutating func begin(depth: Int) { open.append(Group(depth: depth)) }
    internal mutating func end() { if !open.isEmpty { open.removeLast() } }
    internal mutating func end(from depth: Int) { open.removeAll { $0.depth >= depth } }

    internal mutating func set(name: String) { set(\.name, name) }
    internal mutating func set(identifier: String) { set(\.identifier, identifier) }

    private mutating func set(_ part: WritableKeyPath<Group, String>, _ value: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1][keyPath: part] = value
        open[open.count - 1].path = nil
    }

    internal func contains(identifier: String) -> Bool { open.contains { $0.identifier == identifier } }

    /// The path of all of them, and whether it was cut.
    internal mutating func path() -> (path: String, isCut: Bool) {
        var path = ""
        var isCut = false
        var first = 0
        // The paths of all groups around a known one are known too.
        if let index = open.lastIndex(where: { $0.path != nil }), let known = open[index].path {
            (path, isCut, first) = (known, open[index].isPathCut, index + 1)
        }
        for index in first..<open.count {
            if !isCut {
                let name = open[index].name
                let room = ImportLimits.longestPath - path.utf8.count
                isCut = name.utf8.count + 1 > room
                path += (index > 0 ? "/" : "") + (isCut ? KeePassGroups.beginning(of: name, bytes: room) + "…" : name)
            }
            open[index].path = path
            open[index].isPathCut = isCut
        }
        return (path, isCut)
    }

    internal static func beginning(of text: String, bytes: Int) -> String {
        var beginning = ""
        for scalar in text.unicodeScalars {
            guard beginning.utf8.count + scalar.utf8.count <= bytes - 8 else { break }
            beginning.unicodeScalars.append(scalar)
        }
        return beginning
    }
}
