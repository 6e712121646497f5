// SPDX-License-Identifier: Apache-2.0

/// The algorithm is not valid.
public let errSecInvalidAlgorithm: OSStatus = -67747
/// The key is not valid.
public let errSecInvalidAttributeKey: OSStatus = -67748
/// The key is missing.
public let errSecMissingAttributeKey: OSStatus = -67749
/// The initialization vector is not valid.
public let errSecInvalidAttributeInitVector: OSStatus = -67750
/// The initialization vector is missing.
public let errSecMissingAttributeInitVector: OSStatus = -67751
/// The salt is not valid.
public let errSecInvalidAttributeSalt: OSStatus = -67752
/// The salt is missing.
public let errSecMissingAttributeSalt: OSStatus = -67753
/// The padding is not valid.
public let errSecInvalidAttributePadding: OSStatus = -67754
/// The padding is missing.
public let errSecMissingAttributePadding: OSStatus = -67755
/// The random number is not valid.
public let errSecInvalidAttributeRandom: OSStatus = -67756
/// The random number is missing.
public let errSecMissingAttributeRandom: OSStatus = -67757
/// The seed is not valid.
public let errSecInvalidAttributeSeed: OSStatus = -67758
/// The seed is missing.
public let errSecMissingAttributeSeed: OSStatus = -67759
/// The passphrase is not valid.
public let errSecInvalidAttributePassphrase: OSStatus = -67760
/// The passphrase is missing.
public let errSecMissingAttributePassphrase: OSStatus = -67761
/// The key length is not valid.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762
/// The key length is missing.
public let errSecMissingAttributeKeyLength: OSStatus = -67763
/// The block size is not valid.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764
/// The block size is missing.
public let errSecMissingAttributeBlockSize: OSStatus = -67765
/// The output size is not valid.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766
/// The output size is missing.
public let errSecMissingAttributeOutputSize: OSStatus = -67767
/// The number of rounds is not valid.
public let errSecInvalidAttributeRounds: OSStatus = -67768
/// The number of rounds is missing.
public let errSecMissingAttributeRounds: OSStatus = -67769
/// The parameters of the algorithm are not valid.
public let errSecInvalidAlgorithmParms: OSStatus = -67770
/// The parameters of the algorithm are missing.
public let errSecMissingAlgorithmParms: OSStatus = -67771
/// The label is not valid.
public let errSecInvalidAttributeLabel: OSStatus = -67772
/// The label is missing.
public let errSecMissingAttributeLabel: OSStatus = -67773
/// The key type is not valid.
public let errSecInvalidAttributeKeyType: OSStatus = -67774
/// The key type is missing.
public let errSecMissingAttributeKeyType: OSStatus = -67775
/// The mode is not valid.
public let errSecInvalidAttributeMode: OSStatus = -67776
/// The mode is missing.
public let errSecMissingAttributeMode: OSStatus = -67777
/// The number of effective bits is not valid.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778
/// The number of effective bits is missing.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779
/// The start date is not valid.
public let errSecInvalidAttributeStartDate: OSStatus = -67780
/// The start date is missing.
public let errSecMissingAttributeStartDate: OSStatus = -67781
/// The end date is not valid.
public let errSecInvalidAttributeEndDate: OSStatus = -67782
/// The end date is missing.
public let errSecMissingAttributeEndDate: OSStatus = -67783
/// The version is not valid.
public let errSecInvalidAttributeVersion: OSStatus = -67784
/// The version is missing.
public let errSecMissingAttributeVersion: OSStatus = -67785
/// The prime is not valid.
public let errSecInvalidAttributePrime: OSStatus = -67786
/// The prime is missing.
public let errSecMissingAttributePrime: OSStatus = -67787
/// The base is not valid.
public let errSecInvalidAttributeBase: OSStatus = -67788
/// The base is missing.
public let errSecMissingAttributeBase: OSStatus = -67789
/// The subprime is not valid.
public let errSecInvalidAttributeSubprime: OSStatus = -67790
/// The subprime is missing.
public let errSecMissingAttributeSubprime: OSStatus = -67791
/// The iteration count is not valid.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792
/// The iteration count is missing.
public let errSecMissingAttributeIterationCount: OSStatus = -67793
/// The database handle is not valid.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794
/// The database handle is missing.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795
/// The access credential is not valid.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796
/// The access credential is missing.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797
/// The public key format is not valid.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798
/// The public key format is missing.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799
/// The private key format is not valid.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800
/// The private key format is missing.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801
/// The symmetric key format is not valid.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802
/// The symmetric key format is missing.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803
/// The wrapped key format is not valid.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804
/// The wrapped key format is missing.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805
