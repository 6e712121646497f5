// SPDX-License-Identifier: Apache-2.0

/// The half of a Secret Service's item that has its attributes.
package enum SecretServiceEntry {
    /// The service of all of them, by which they are found.
    package static let service = "llavero.secret-service.entry"
}
