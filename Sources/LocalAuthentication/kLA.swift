// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The numbers as C has them; in Swift the enumerations say the same.

/// ``LAPolicy/deviceOwnerAuthenticationWithBiometrics``.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1
/// ``LAPolicy/deviceOwnerAuthentication``.
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2
/// ``LAPolicy/deviceOwnerAuthenticationWithWatch``.
public let kLAPolicyDeviceOwnerAuthenticationWithWatch: Int32 = 3
/// ``LAPolicy/deviceOwnerAuthenticationWithBiometricsOrWatch``.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch: Int32 = 4
/// ``LAPolicy/deviceOwnerAuthenticationWithCompanion``.
public let kLAPolicyDeviceOwnerAuthenticationWithCompanion: Int32 = 3
/// ``LAPolicy/deviceOwnerAuthenticationWithBiometricsOrCompanion``.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion: Int32 = 4

/// ``LAErrorDomain``.
public let kLAErrorDomain = LAErrorDomain
/// ``LAError/Code/authenticationFailed``.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// ``LAError/Code/userCancel``.
public let kLAErrorUserCancel: Int32 = -2
/// ``LAError/Code/userFallback``.
public let kLAErrorUserFallback: Int32 = -3
/// ``LAError/Code/systemCancel``.
public let kLAErrorSystemCancel: Int32 = -4
/// ``LAError/Code/passcodeNotSet``.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// ``LAError/Code/touchIDNotAvailable``.
public let kLAErrorTouchIDNotAvailable: Int32 = -6
/// ``LAError/Code/touchIDNotEnrolled``.
public let kLAErrorTouchIDNotEnrolled: Int32 = -7
/// ``LAError/Code/touchIDLockout``.
public let kLAErrorTouchIDLockout: Int32 = -8
/// ``LAError/Code/appCancel``.
public let kLAErrorAppCancel: Int32 = -9
/// ``LAError/Code/invalidContext``.
public let kLAErrorInvalidContext: Int32 = -10
/// ``LAError/Code/watchNotAvailable``.
public let kLAErrorWatchNotAvailable: Int32 = -11
/// ``LAError/Code/companionNotAvailable``.
public let kLAErrorCompanionNotAvailable: Int32 = -11
/// ``LAError/Code/biometryNotPaired``.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// ``LAError/Code/biometryDisconnected``.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// ``LAError/Code/invalidDimensions``.
public let kLAErrorInvalidDimensions: Int32 = -14
/// ``LAError/Code/biometryNotAvailable``.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// ``LAError/Code/biometryNotEnrolled``.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// ``LAError/Code/biometryLockout``.
public let kLAErrorBiometryLockout: Int32 = -8
/// ``LAError/Code/notInteractive``.
public let kLAErrorNotInteractive: Int32 = -1004

/// ``LABiometryType/none``.
public let kLABiometryTypeNone: Int32 = 0
/// ``LABiometryType/touchID``.
public let kLABiometryTypeTouchID: Int32 = 1
/// ``LABiometryType/faceID``.
public let kLABiometryTypeFaceID: Int32 = 2
/// ``LABiometryType/opticID``.
public let kLABiometryTypeOpticID: Int32 = 4
/// ``LACredentialType/applicationPassword``.
public let kLACredentialTypeApplicationPassword: Int32 = 0

/// ``LAAccessControlOperation/createItem``.
public let kLAAccessControlOperationCreateItem: Int32 = 0
/// ``LAAccessControlOperation/useItem``.
public let kLAAccessControlOperationUseItem: Int32 = 1
/// ``LAAccessControlOperation/createKey``.
public let kLAAccessControlOperationCreateKey: Int32 = 2
/// ``LAAccessControlOperation/useKeySign``.
public let kLAAccessControlOperationUseKeySign: Int32 = 3
/// ``LAAccessControlOperation/useKeyDecrypt``.
public let kLAAccessControlOperationUseKeyDecrypt: Int32 = 4
/// ``LAAccessControlOperation/useKeyKeyExchange``.
public let kLAAccessControlOperationUseKeyKeyExchange: Int32 = 5

/// No kind of device.
public let kLACompanionTypeNone: Int32 = 0
/// ``LACompanionType/watch``.
public let kLACompanionTypeWatch: Int32 = 1
/// ``LACompanionType/mac``.
public let kLACompanionTypeMac: Int32 = 2
/// ``LACompanionType/vision``.
public let kLACompanionTypeVision: Int32 = 4
