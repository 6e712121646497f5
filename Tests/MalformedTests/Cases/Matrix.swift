// SPDX-License-Identifier: Apache-2.0

extension MalformedCase {
    /// Every case there is; a failure when the well-formed input could not be made that they start from.
    static let matrix = Result {
        try CertificateCases.all() + KeyCases.all() + SignatureCases.all() + CiphertextCases.all() + FileCases.all()
    }
}
