// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses

/// A character device in front of a TPM, in place of /dev/tpmrm0: a terminal that changes no byte.
package final class PseudoDevice: Sendable {
    package let connection: String

    private let master: Int32
    /// Open as long as the device is, which else ends with its first client.
    private let slave: Int32

    package init(to tpm: SwtpmProcess) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, locked): (Int32, Int32) = (0, 0)
        // posix_openpt and its like, which Swift's Glibc module does not know.
        guard master >= 0, ioctl(master, PseudoDevice.unlock, &locked) == 0,
            ioctl(master, PseudoDevice.getNumber, &number) == 0
        else { throw POSIXError(.ENODEV) }
        connection = "device:/dev/pts/\(number)"
        slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var settings = termios()
        tcgetattr(slave, &settings)
        cfmakeraw(&settings)
        guard tcsetattr(slave, TCSANOW, &settings) == 0 else { throw POSIXError(.ENODEV) }
        let (device, target) = (TPMSocket(descriptor: master), tpm.socket)
        Thread.detachNewThread {
            // Until the device is closed.
            while let command = try? device.receive() {
                guard let server = try? TPMSocket(path: target, timeout: EventLimit.seconds) else { return }
                defer { server.close() }
                guard let answer = try? server.exchange(command), (try? device.send(answer)) != nil else { return }
            }
        }
    }

    package func close() {
        Glibc.close(slave)
    }

    deinit { Glibc.close(master) }

    private static let getNumber: UInt = 0x8004_5430  // TIOCGPTN
    private static let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
}
