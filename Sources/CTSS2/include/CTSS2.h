// SPDX-License-Identifier: Apache-2.0
//
// The tpm2-tss libraries, found when they are first needed and not before: a program that has no use for a TPM does not
// load them, and one and the same program runs where they are not installed. Without their headers this is empty.

#ifndef LLV_CTSS2_H
#define LLV_CTSS2_H

#if defined(__has_include)
#if __has_include(<tss2/tss2_esys.h>) && __has_include(<tss2/tss2_mu.h>) && __has_include(<tss2/tss2_tcti.h>)
#define LLV_HAS_TSS2 1
#endif
#endif

#ifdef LLV_HAS_TSS2

#include <stddef.h>
#include <stdint.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_tcti.h>

// MARK: The libraries (library.c)

/// What is called of libtss2-esys and of libtss2-mu.
#define LLV_TSS2_ESYS(X) \
    X(Esys_Initialize) X(Esys_Finalize) X(Esys_Free) \
    X(Esys_TR_FromTPMPublic) X(Esys_TR_GetName) X(Esys_TR_SetAuth) \
    X(Esys_StartAuthSession) X(Esys_TRSess_SetAttributes) X(Esys_FlushContext) \
    X(Esys_CreatePrimary) X(Esys_EvictControl) X(Esys_ReadPublic) X(Esys_Create) X(Esys_Load) \
    X(Esys_Unseal) X(Esys_Sign) X(Esys_ECDH_ZGen) X(Esys_Certify) X(Esys_ActivateCredential) \
    X(Esys_NV_DefineSpace) X(Esys_NV_UndefineSpace) X(Esys_NV_Read) X(Esys_NV_Write) \
    X(Esys_PolicySecret) X(Esys_PolicyAuthValue) X(Esys_GetCapability) X(Esys_StirRandom)
#define LLV_TSS2_MU(X) \
    X(Tss2_MU_TPM2B_PUBLIC_Marshal) X(Tss2_MU_TPM2B_PUBLIC_Unmarshal) \
    X(Tss2_MU_TPM2B_PRIVATE_Marshal) X(Tss2_MU_TPM2B_PRIVATE_Unmarshal)

/// The functions, under their own names.
typedef struct {
#define LLV_FIELD(name) __typeof__(name) *_Nonnull name;
    LLV_TSS2_ESYS(LLV_FIELD)
    LLV_TSS2_MU(LLV_FIELD)
#undef LLV_FIELD
} llv_tss2;

/// The libraries' functions, loaded at the first call; NULL when a library or one of them is missing.
///
/// Keeps the libraries from writing to stderr, unless TSS2_LOG is set: they know no other way than the environment.
const llv_tss2 *_Nullable llv_tss2_functions(void);

/// The name of the file that libtss2-esys was loaded from, as the loader has it; NULL when the libraries are not there.
const char *_Nullable llv_tss2_file(void);

// MARK: The line to a TPM (line.c)

/// Opens a line: "device:/dev/tpmrm0" or "swtpm:path=/a/socket". The TPM has `answer_timeout` milliseconds for each answer.
/// TSS2_TCTI_RC_IO_ERROR when the TPM is not there, and from the line when no answer comes in time.
TSS2_RC llv_line_open(const char *_Nonnull connection, int32_t answer_timeout, TSS2_TCTI_CONTEXT *_Nullable *_Nonnull line);

/// Refuses every command from now on, without asking the TPM.
void llv_line_hang_up(TSS2_TCTI_CONTEXT *_Nonnull line);

/// Closes the line and frees it; after Esys_Finalize.
void llv_line_close(TSS2_TCTI_CONTEXT *_Nonnull line);

// MARK: Constants
// Swift imports no macro whose value is cast after arithmetic, and gives the others whatever type their cast names.

static const ESYS_TR llv_tr_none = ESYS_TR_NONE;
static const ESYS_TR llv_tr_password = ESYS_TR_PASSWORD;
static const ESYS_TR llv_tr_owner = ESYS_TR_RH_OWNER;
static const ESYS_TR llv_tr_endorsement = ESYS_TR_RH_ENDORSEMENT;

static const TSS2_RC llv_rc_layer = TSS2_RC_LAYER_MASK;
static const TSS2_RC llv_rc_layer_tcti = TSS2_TCTI_RC_LAYER;
static const TSS2_RC llv_rc_initialize = TPM2_RC_INITIALIZE;
static const TSS2_RC llv_rc_failure = TPM2_RC_FAILURE;
static const TSS2_RC llv_rc_auth_unavailable = TPM2_RC_AUTH_UNAVAILABLE;
static const TSS2_RC llv_rc_lockout = TPM2_RC_LOCKOUT;
static const TSS2_RC llv_rc_format_one = TPM2_RC_FMT1;
static const TSS2_RC llv_rc_parameter = TPM2_RC_P;
static const TSS2_RC llv_rc_auth_fail = TPM2_RC_AUTH_FAIL;
static const TSS2_RC llv_rc_bad_auth = TPM2_RC_BAD_AUTH;
static const TSS2_RC llv_rc_handle = TPM2_RC_HANDLE;
static const TSS2_RC llv_rc_not_installed = TSS2_ESYS_RC_NOT_IMPLEMENTED;
static const TSS2_RC llv_rc_malformed = TSS2_MU_RC_BAD_VALUE;

static const TPMA_OBJECT llv_object_fixed =
    TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN;
static const TPMA_OBJECT llv_object_fixed_data = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT;
static const TPMA_OBJECT llv_object_user_with_auth = TPMA_OBJECT_USERWITHAUTH;
static const TPMA_OBJECT llv_object_admin_with_policy = TPMA_OBJECT_ADMINWITHPOLICY;
static const TPMA_OBJECT llv_object_no_da = TPMA_OBJECT_NODA;
static const TPMA_OBJECT llv_object_restricted = TPMA_OBJECT_RESTRICTED;
static const TPMA_OBJECT llv_object_decrypt = TPMA_OBJECT_DECRYPT;
static const TPMA_OBJECT llv_object_sign = TPMA_OBJECT_SIGN_ENCRYPT;

/// Of a PIN that counts its failures: only its own secret opens it, its owner reads, sets and removes it.
static const TPMA_NV llv_nv_pin_fail = TPMA_NV_OWNERWRITE | TPMA_NV_OWNERREAD | TPMA_NV_AUTHREAD | TPMA_NV_NO_DA
    | ((TPMA_NV)TPM2_NT_PIN_FAIL << TPMA_NV_TPM2_NT_SHIFT);
static const TPMA_NV llv_nv_written = TPMA_NV_WRITTEN;

static const TPMA_SESSION llv_session_continues = TPMA_SESSION_CONTINUESESSION;
/// The command's first parameter is encrypted.
static const TPMA_SESSION llv_session_hides_command = TPMA_SESSION_DECRYPT;
/// The answer's first parameter is encrypted.
static const TPMA_SESSION llv_session_hides_answer = TPMA_SESSION_ENCRYPT;

static const TPM2_SE llv_session_hmac = TPM2_SE_HMAC;
static const TPM2_SE llv_session_policy = TPM2_SE_POLICY;

static const TPM2_ALG_ID llv_alg_null = TPM2_ALG_NULL;
static const TPM2_ALG_ID llv_alg_sha256 = TPM2_ALG_SHA256;
static const TPM2_ALG_ID llv_alg_ecc = TPM2_ALG_ECC;
static const TPM2_ALG_ID llv_alg_rsa = TPM2_ALG_RSA;
static const TPM2_ALG_ID llv_alg_keyed_hash = TPM2_ALG_KEYEDHASH;
static const TPM2_ALG_ID llv_alg_aes = TPM2_ALG_AES;
static const TPM2_ALG_ID llv_alg_cfb = TPM2_ALG_CFB;
static const TPM2_ALG_ID llv_alg_ecdsa = TPM2_ALG_ECDSA;
static const TPM2_ECC_CURVE llv_curve_p256 = TPM2_ECC_NIST_P256;

static const TPM2_CC llv_command_policy_secret = TPM2_CC_PolicySecret;
static const TPM2_CC llv_command_policy_auth_value = TPM2_CC_PolicyAuthValue;

static const TPM2_ST llv_tag_hash_check = TPM2_ST_HASHCHECK;
static const TPM2_RH llv_hierarchy_null = TPM2_RH_NULL;

static const TPM2_CAP llv_capability_handles = TPM2_CAP_HANDLES;
static const TPM2_CAP llv_capability_properties = TPM2_CAP_TPM_PROPERTIES;
static const uint32_t llv_handles_first_transient = TPM2_TRANSIENT_FIRST;
static const uint32_t llv_handles_first_loaded_session = TPM2_LOADED_SESSION_FIRST;
static const uint32_t llv_handles_first_saved_session = TPM2_ACTIVE_SESSION_FIRST;

static const uint32_t llv_property_manufacturer = TPM2_PT_MANUFACTURER;
static const uint32_t llv_property_firmware_1 = TPM2_PT_FIRMWARE_VERSION_1;
static const uint32_t llv_property_permanent = TPM2_PT_PERMANENT;
static const uint32_t llv_permanent_owner_auth_set = TPMA_PERMANENT_OWNERAUTHSET;
static const uint32_t llv_permanent_lockout_auth_set = TPMA_PERMANENT_LOCKOUTAUTHSET;
static const uint32_t llv_permanent_in_lockout = TPMA_PERMANENT_INLOCKOUT;

#endif

#endif
