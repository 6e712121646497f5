// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file descriptor that is closed together with the last reference to it.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    package init(owning number: Int32) { self.number = number }

    deinit { close(number) }
}
