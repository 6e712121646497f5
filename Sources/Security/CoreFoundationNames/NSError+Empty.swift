// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

extension NSError {
    /// An error without a domain, written `NSError()`; the parameter is there because Swift allows no other spelling.
    public convenience init(withoutDomain: Void = ()) {
        self.init(domain: "", code: 0)
    }
}
