// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainOneTimeCodes

/// The seed of one-time codes, as a URL or in base32.
internal enum OneTimeCodeFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let code = try? OneTimeCode(SecretValue(copying: bytes)) else { return .refused }
        try promise((5...8).contains(code.digits), "a code has five to eight digits")
        guard let again = try? OneTimeCode(code.url()) else { throw BrokenPromise("what is written is read") }
        let isSame =
            again.kind == code.kind && again.hash == code.hash && again.digits == code.digits
            && again.isSteam == code.isSteam && again.issuer == code.issuer && again.account == code.account
            && again.key.isEqualInConstantTime(to: code.key)
        try promise(isSame, "what is written is read as the same")
        for time in [0, 59, UInt64.max] {
            guard let first = try? code.code(at: time), let second = try? again.code(at: time) else {
                throw BrokenPromise("a code is computed")
            }
            try promise(first.isEqualInConstantTime(to: second) && first.count == code.digits, "one seed has one code")
        }
        return .accepted
    }
}
