// SPDX-License-Identifier: Apache-2.0

// On Apple platforms `import Security` alone brings Data, Date and NSDictionary; existing sources rely on it.
@_exported public import LlaveroFoundation
