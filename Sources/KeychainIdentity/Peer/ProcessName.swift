// SPDX-License-Identifier: Apache-2.0

internal import CPeer

/// What tells a process from every other, also from a later one that gets its number: the number, and when it began.
package struct ProcessName: Sendable, Hashable {
    package let pid: Int32
    /// In ticks since the machine was started; 0 of a process that had ended before anybody could look.
    package let start: UInt64

    package init(pid: Int32, start: UInt64) {
        self.pid = pid
        self.start = start
    }

    /// Of the process that has this number now.
    init(of pid: Int32) throws(PeerError) {
        var text = [UInt8](repeating: 0, count: ProcessName.longestLine)
        let room = text.count
        let count = unsafe llv_peer_read_process_file(pid, "stat", &text, room)
        guard count >= 0 else { throw PeerError(process: Int32(count)) }
        guard let start = ProcessName.start(in: text.prefix(Int(count))) else { throw .system(0) }
        self.init(pid: pid, start: start)
    }

    /// Of the process that connected; nil when it has ended, or somebody else has its number by now.
    package init?(connectedTo socket: OwnedDescriptor, pid: Int32) {
        var isExact = false
        let handle = unsafe llv_peer_open_process(socket.number, pid, &isExact)
        guard handle >= 0 else { return nil }
        let process = OwnedDescriptor(owning: handle)
        guard let name = try? ProcessName(of: pid), llv_peer_is_alive(process.number) == 1 else { return nil }
        self = name
    }

    /// The 22nd field of a line of /proc; the second is a name, which may have blanks and parentheses in it.
    private static func start(in line: ArraySlice<UInt8>) -> UInt64? {
        guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line[(end + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 19 else { return nil }
        return UInt64(String(decoding: fields[19], as: UTF8.self))
    }

    /// Fifty-two numbers and a name of at most 64 bytes.
    private static let longestLine = 2048
}
