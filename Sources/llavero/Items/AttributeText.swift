// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// Attributes as words.
enum AttributeText {
    /// Text as it is; bytes that are none in hexadecimal, dates in ISO 8601.
    static func text(_ entry: AttributeList.Entry) -> String {
        switch entry.value {
        case .string(let text): text
        case .number(let number): String(number)
        case .date(let date): Self.date(date)
        case .data(let bytes):
            isText(entry.attribute)
                ? String(validating: bytes, as: UTF8.self) ?? HexText.digits(of: bytes)
                : HexText.digits(of: bytes)
        }
    }

    /// In JSON numbers are numbers.
    static func json(_ entry: AttributeList.Entry) -> JSONText {
        if case .number(let number) = entry.value {
            return isSwitch(entry.attribute) ? .boolean(number != 0) : .number(number)
        }
        return .text(text(entry))
    }

    static func isTrue(_ value: AttributeValue?) -> Bool {
        if case .number(let number)? = value { number != 0 } else { false }
    }

    /// What it is called in what the tool prints.
    static func name(of attribute: Attribute) -> String { ExportNames.name(of: attribute) }

    static func isSwitch(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .isInvisible, .isNegative, .hasCustomIcon, .synchronizable, .isPermanent, .isPrivate, .isModifiable,
            .isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable, .canEncrypt, .canDecrypt,
            .canDerive, .canSign, .canVerify, .canSignRecover, .canVerifyRecover, .canWrap, .canUnwrap:
            true
        default: false
        }
    }

    /// Seconds since 2001, in UTC.
    static func date(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e11 else { return "" }
        var moment = time_t(seconds.rounded(.down)) + 978_307_200
        var date = unsafe tm()
        guard unsafe gmtime_r(&moment, &date) != nil else { return "" }
        var text = unsafe String(Int(date.tm_year) + 1900)
        let fields = unsafe [date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec]
        for (mark, field) in zip(["-", "-", "T", ":", ":"], fields) {
            text += mark
            if field < 10 { text += "0" }
            text += String(field)
        }
        return text + "Z"
    }

    private static func isText(_ attribute: Attribute) -> Bool {
        switch attribute.kind {
        case .string, .blob: true
        case .data, .number, .flag, .date, .uuid, .digest, .accessControl: false
        }
    }
}
