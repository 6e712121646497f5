// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

/// Everything but the program's own object, which stays with the program: nil on arrival.
///
/// The words are the program's, and are shown as such whoever sent them; a message bounds them.
extension AuthenticationTerms: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let context: AuthenticationContextID? = try fields.next()
        let interaction: Interaction = try fields.next()
        let request: AuthenticationRequestID? = try fields.next()
        self.init(
            context: context, interaction: interaction, reason: try fields.next(), cancelTitle: try fields.next(),
            holder: nil)
        self.request = request
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(context)
        try writer.write(interaction)
        try writer.write(request)
        try writer.write(reason)
        try writer.write(cancelTitle)
    }

    /// To pass over what demands somebody is for those who look, not for those who change.
    func checkIsForChange() throws(WireError) {
        guard interaction != .skipping else { throw .contradiction }
    }
}

extension AuthenticationTerms.Interaction: WireNumbered {
    static let numbered: [AuthenticationTerms.Interaction] = [.allowed, .forbidden, .skipping]

    var wireNumber: Int64 {
        switch self {
        case .allowed: 1
        case .forbidden: 2
        case .skipping: 3
        }
    }
}
