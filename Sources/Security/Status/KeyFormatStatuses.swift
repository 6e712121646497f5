// SPDX-License-Identifier: Apache-2.0

/// A plug-in could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711
/// The key reference is not valid.
public let errSecInvalidKeyRef: OSStatus = -67712
/// The key hierarchy is not valid.
public let errSecInvalidKeyHierarchy: OSStatus = -67713
/// A plug-in could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714
/// The library reference was not found.
public let errSecLibraryReferenceNotFound: OSStatus = -67715
/// The function table of a plug-in is not valid.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716
/// The service mask is not valid.
public let errSecInvalidServiceMask: OSStatus = -67717
/// The module is not loaded.
public let errSecModuleNotLoaded: OSStatus = -67718
/// The subservice identifier is not valid.
public let errSecInvalidSubServiceID: OSStatus = -67719
/// The attribute is not part of the context.
public let errSecAttributeNotInContext: OSStatus = -67720
/// The module manager could not be initialized.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721
/// The module manager was not found.
public let errSecModuleManagerNotFound: OSStatus = -67722
/// The callback for event notifications was not found.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723
/// The input has the wrong length.
public let errSecInputLengthError: OSStatus = -67724
/// The output has the wrong length.
public let errSecOutputLengthError: OSStatus = -67725
/// The privilege is not supported.
public let errSecPrivilegeNotSupported: OSStatus = -67726
/// The device reported an error.
public let errSecDeviceError: OSStatus = -67727
/// The attached handle is busy.
public let errSecAttachHandleBusy: OSStatus = -67728
/// You are not logged in.
public let errSecNotLoggedIn: OSStatus = -67729
/// The algorithm does not match the key.
public let errSecAlgorithmMismatch: OSStatus = -67730
/// The key may not be used for this.
public let errSecKeyUsageIncorrect: OSStatus = -67731
/// The blob of the key has the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732
/// The header of the key contradicts itself.
public let errSecKeyHeaderInconsistent: OSStatus = -67733
/// The key format is not supported.
public let errSecUnsupportedKeyFormat: OSStatus = -67734
/// The key size is not supported.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// The key usage mask is not valid.
public let errSecInvalidKeyUsageMask: OSStatus = -67736
/// The key usage mask is not supported.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737
/// The key attribute mask is not valid.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738
/// The key attribute mask is not supported.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739
/// The key label is not valid.
public let errSecInvalidKeyLabel: OSStatus = -67740
/// The key label is not supported.
public let errSecUnsupportedKeyLabel: OSStatus = -67741
/// The key format is not valid.
public let errSecInvalidKeyFormat: OSStatus = -67742
/// A vector of buffers is not supported.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
/// The vector of input buffers is not valid.
public let errSecInvalidInputVector: OSStatus = -67744
/// The vector of output buffers is not valid.
public let errSecInvalidOutputVector: OSStatus = -67745
/// The context is not valid.
public let errSecInvalidContext: OSStatus = -67746
