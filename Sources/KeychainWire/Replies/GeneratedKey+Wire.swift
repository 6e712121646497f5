// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension GeneratedKey: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(key: try fields.next(), loose: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(key)
        try writer.write(loose)
    }
}

/// Checked here: the public half has the form of a point of P-256, and the blob a size that an enclave takes.
///
/// The blob comes from outside and goes to the enclave, which has to tell its own from others.
extension LooseEnclaveKey: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(publicKey: try fields.next(), blob: try fields.data(atMost: WireLimits.enclaveBlob))
        guard publicKey.count == 65, publicKey.first == 4 else { throw .outOfRange }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.data(publicKey)
        writer.data(blob)
    }
}
