// SPDX-License-Identifier: Apache-2.0

extension FingerprintError {
    init(_ failure: BusFailure) {
        self =
            switch failure {
            case .wait(let wait): FingerprintError(wait)
            case .broken(let code): .failed("the message bus does not answer as it should", code: code)
            case .refused(.noDevice): .noReader
            case .refused(.noOwner), .refused(.noService): .noReader
            case .refused(.noFinger): .noFinger
            case .refused(.inUse): .busy
            case .refused(.untrusted): .untrusted
            case .refused(.notAllowed): .notAvailable(FingerprintError.notAllowed)
            case .refused(.other(let code)): .failed("fprintd refuses", code: code)
            }
    }

    static let noReader = FingerprintError.notAvailable(
        "no fingerprint reader is there; connect one, and install fprintd")
    static let noFinger = FingerprintError.notAvailable(
        "no finger is enrolled; fprintd-enroll and the settings of the desktop enroll one")
    private static let notAllowed: StaticString = """
        fprintd does not let this process use the reader: polkit allows it to whoever sits at the machine, or as its \
        rules say
        """
}
