// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainIdentity

/// The place where a bus would put its socket, to wait there for one.
struct BusArrival {
    private let file: OwnedDescriptor

    /// From now on nothing is missed; nil when the address names no path, or nothing can be waited for.
    init?(_ address: String) {
        guard let path = BusArrival.path(in: address) else { return nil }
        let file = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        self.file = OwnedDescriptor(owning: file)
        var folder = path[...]
        // The nearest folder that is there: what is missing appears in it first.
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            let name = folder.isEmpty ? "/" : String(folder)
            if unsafe inotify_add_watch(file, name, BusArrival.events) >= 0 { return }
        }
        return nil
    }

    /// Waits until something has changed there.
    func wait(_ patience: borrowing Patience) throws(BrokenWait) { try patience.wait(for: file.number) }

    /// Of `unix:path=…` alone, without anything that would have to be unescaped.
    private static func path(in address: String) -> String? {
        let start = "unix:path=/"
        guard address.hasPrefix(start), !address.contains(where: { "%,;".contains($0) }) else { return nil }
        return String(address.dropFirst(start.count - 1))
    }

    private static let events =
        UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
}
