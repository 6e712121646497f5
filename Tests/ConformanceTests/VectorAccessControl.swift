// SPDX-License-Identifier: Apache-2.0

/// An access control as a row writes it: made with flags at once, or put together piece by piece.
struct VectorAccessControl: Sendable {
    /// nil for one that is not finished.
    let protection: String?
    /// nil for one that is put together.
    let flags: [String]?
    let constraints: [String: VectorValue]
    let requiresPassword: Bool

    init(_ json: JSONValue, at place: String) throws {
        var fields = try VectorFields(json, at: place)
        protection = try fields.string("protection")
        flags = try fields.strings("flags")
        requiresPassword = try fields.boolean("requiresPassword")
        constraints = try VectorAccessControl.constraints(fields.take("constraints"), at: place)
        if flags != nil, protection == nil { throw VectorError("\(place): flags without a protection") }
        if protection == nil, requiresPassword || !constraints.isEmpty {
            throw VectorError("\(place): constraints without a protection")
        }
        try fields.finish()
    }

    private static func constraints(_ json: JSONValue?, at place: String) throws -> [String: VectorValue] {
        guard let json else { return [:] }
        guard case .object(let object) = json else { throw VectorError("\(place): constraints is no object") }
        return try Dictionary(
            uniqueKeysWithValues: object.map { ($0, try VectorValue($1, at: "\(place) \($0)")) })
    }
}
