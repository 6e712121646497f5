// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file of the system's certificate authorities.
enum SystemBundle {
    static func text() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: "/etc/ssl/certs/ca-certificates.crt"))
    }
}
