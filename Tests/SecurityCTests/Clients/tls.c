/* SPDX-License-Identifier: Apache-2.0 */
/* TLS with a key that stays in the enclave: OpenSSL has the certificate, and a callback that asks the enclave for each signature.
   As a server it is called by `openssl s_client`, as a client it calls `openssl s_server`, which wants a certificate. */
/* A method of a key is the short way to put a callback there; a provider takes its place in OpenSSL's next version. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <Security/Security.h>
#include <openssl/ec.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

extern char **environ;

/* MARK: Programs */

struct program {
    pid_t id;
    int input, output;
};

/* Starts one; what it writes, errors too, is what `output` has. */
static struct program start(const char *const *arguments) {
    struct program program = {-1, -1, -1};
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) return program;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, out[1], 2);
    for (int index = 0; index < 2; index++) {
        posix_spawn_file_actions_addclose(&actions, in[index]);
        posix_spawn_file_actions_addclose(&actions, out[index]);
    }
    if (posix_spawnp(&program.id, arguments[0], &actions, NULL, (char *const *)arguments, environ) != 0) program.id = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    program.input = in[1];
    program.output = out[0];
    return program;
}

/* Reads until it has said a word, or, without one, all that it says; whether the word came. */
static bool hear(const struct program *program, const char *word, char *said, size_t room) {
    size_t count = strlen(said);
    while (!word || !strstr(said, word)) {
        ssize_t more = count + 1 < room ? read(program->output, said + count, room - 1 - count) : 0;
        if (more <= 0) return false;
        count += (size_t)more;
        said[count] = 0;
    }
    return true;
}

/* Its exit status, after it has ended by itself. */
static int end(struct program *program, char *said, size_t room) {
    int status = -1;
    if (program->input >= 0) close(program->input);
    hear(program, NULL, said, room);
    close(program->output);
    if (program->id < 0 || waitpid(program->id, &status, 0) < 0) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool run(const char *const *arguments) {
    char said[4096] = "";
    struct program program = start(arguments);
    bool worked = end(&program, said, sizeof said) == 0;
    if (!worked) fprintf(stderr, "%s", said);
    return worked;
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

/* MARK: A key of the enclave, and its certificate */

static CFMutableDictionaryRef dictionary(void) {
    return CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
}

static SecKeyRef make_key(CFStringRef label) {
    CFMutableDictionaryRef parameters = dictionary(), private_half = dictionary();
    int bits = 256;
    CFNumberRef size = CFNumberCreate(NULL, kCFNumberIntType, &bits);
    CFDictionarySetValue(parameters, kSecAttrKeyType, kSecAttrKeyTypeECSECPrimeRandom);
    CFDictionarySetValue(parameters, kSecAttrKeySizeInBits, size);
    CFDictionarySetValue(parameters, kSecAttrTokenID, kSecAttrTokenIDSecureEnclave);
    CFDictionarySetValue(private_half, kSecAttrIsPermanent, kCFBooleanTrue);
    CFDictionarySetValue(private_half, kSecAttrLabel, label);
    CFDictionarySetValue(parameters, kSecPrivateKeyAttrs, private_half);
    CFErrorRef error = NULL;
    SecKeyRef key = SecKeyCreateRandomKey(parameters, &error);
    expect(key && !error);
    CFRelease(size);
    CFRelease(private_half);
    CFRelease(parameters);
    return key;
}

/* No call gives its bytes. */
static void stays(SecKeyRef key) {
    CFErrorRef error = NULL;
    expect(!SecKeyCopyExternalRepresentation(key, &error) && error && CFErrorGetCode(error) != errSecSuccess);
    if (error) CFRelease(error);
    CFDataRef file = NULL;
    expect(SecItemExport(key, kSecFormatOpenSSL, kSecItemPemArmour, NULL, &file) != errSecSuccess && !file);
    CFMutableDictionaryRef query = dictionary();
    CFDictionarySetValue(query, kSecValueRef, key);
    CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
    CFTypeRef found = NULL;
    /* It is found, and has no data. */
    expect(SecItemCopyMatching(query, &found) == errSecSuccess && !found);
    if (found) CFRelease(found);
    CFRelease(query);
}

static bool write_file(const char *path, CFDataRef data) {
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    size_t count = (size_t)CFDataGetLength(data);
    bool written = fwrite(CFDataGetBytePtr(data), 1, count, file) == count;
    return fclose(file) == 0 && written;
}

static CFDataRef read_file(const char *path) {
    UInt8 bytes[8192];
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    return CFDataCreate(NULL, bytes, (CFIndex)count);
}

/* The enclave signs a request, and OpenSSL's authority, which examines that, makes a certificate of it. */
static SecCertificateRef certify(SecKeyRef key) {
    const void *pair[] = {kSecOidCommonName, CFSTR("enclave.example")};
    CFArrayRef name = CFArrayCreate(NULL, pair, 2, &kCFTypeArrayCallBacks);
    CFArrayRef part = CFArrayCreate(NULL, (const void **)&name, 1, &kCFTypeArrayCallBacks);
    CFArrayRef subject = CFArrayCreate(NULL, (const void **)&part, 1, &kCFTypeArrayCallBacks);
    CFDataRef request = SecGenerateCertificateRequest(subject, NULL, NULL, key);
    expect(request && write_file("request.der", request));
    FILE *extensions = fopen("extensions", "w");
    fputs("subjectAltName=DNS:enclave.example\n", extensions);
    fclose(extensions);
    expect(RUN("openssl", "req", "-in", "request.der", "-inform", "DER", "-verify", "-noout"));
    expect(RUN("openssl", "x509", "-req", "-in", "request.der", "-inform", "DER", "-CA", "ca.pem", "-CAkey", "ca.key", "-days",
               "30", "-extfile", "extensions", "-outform", "DER", "-out", "certificate.der"));
    CFDataRef bytes = read_file("certificate.der");
    SecCertificateRef certificate = SecCertificateCreateWithData(NULL, bytes);
    expect(certificate && SecCertificateAddToKeychain(certificate, NULL) == errSecSuccess);
    CFTypeRef all[] = {name, part, subject, request, bytes};
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) if (all[index]) CFRelease(all[index]);
    return certificate;
}

/* The key, found by the certificate, as a program finds it that was started later. */
static SecKeyRef find_key(SecCertificateRef certificate) {
    SecIdentityRef identity = NULL;
    SecKeyRef key = NULL;
    expect(SecIdentityCreateWithCertificate(NULL, certificate, &identity) == errSecSuccess && identity);
    expect(identity && SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess && key);
    if (identity) CFRelease(identity);
    return key;
}

/* MARK: OpenSSL's side */

static EC_KEY_METHOD *method;
static int place, signatures;

/* What OpenSSL calls where it would use the number that it does not have. */
static int sign(int type, const unsigned char *digest, int count, unsigned char *signature, unsigned int *length,
                const BIGNUM *inverse, const BIGNUM *r, EC_KEY *key) {
    (void)type, (void)inverse, (void)r;
    CFDataRef data = CFDataCreate(NULL, digest, count);
    CFDataRef made = SecKeyCreateSignature(
        EC_KEY_get_ex_data(key, place), kSecKeyAlgorithmECDSASignatureDigestX962, data, NULL);
    CFRelease(data);
    if (!made) return 0;
    bool fits = CFDataGetLength(made) <= ECDSA_size(key);
    if (fits) {
        *length = (unsigned int)CFDataGetLength(made);
        memcpy(signature, CFDataGetBytePtr(made), *length);
        signatures++;
    }
    CFRelease(made);
    return fits;
}

/* A context with a certificate, for which `key` signs. */
static SSL_CTX *context(const SSL_METHOD *kind, int version, SecCertificateRef certificate, SecKeyRef key) {
    SSL_CTX *tls = SSL_CTX_new(kind);
    SSL_CTX_set_min_proto_version(tls, version);
    SSL_CTX_set_max_proto_version(tls, version);
    CFDataRef bytes = SecCertificateCopyData(certificate);
    const unsigned char *der = CFDataGetBytePtr(bytes);
    X509 *own = d2i_X509(NULL, &der, CFDataGetLength(bytes));
    EC_KEY *half = EC_KEY_dup(EVP_PKEY_get0_EC_KEY(X509_get0_pubkey(own)));
    EVP_PKEY *pair = EVP_PKEY_new();
    bool used = EC_KEY_set_method(half, method) == 1 && EC_KEY_set_ex_data(half, place, key) == 1 &&
                EVP_PKEY_assign_EC_KEY(pair, half) == 1 && SSL_CTX_use_certificate(tls, own) == 1 &&
                SSL_CTX_use_PrivateKey(tls, pair) == 1 && SSL_CTX_load_verify_locations(tls, "ca.pem", NULL) == 1;
    expect(used && !EC_KEY_get0_private_key(half));
    EVP_PKEY_free(pair);
    X509_free(own);
    CFRelease(bytes);
    return tls;
}

static struct sockaddr_un address(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    return address;
}

/* Accepts one caller, which says a line, and gets it back; whether the handshake and that went well. */
static bool serve(SSL_CTX *tls, const char *version) {
    struct sockaddr_un name = address();
    char said[16384] = "", line[64] = "";
    unlink(name.sun_path);
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    expect(bind(listening, (struct sockaddr *)&name, sizeof name) == 0 && listen(listening, 1) == 0);
    struct program caller = start((const char *const[]){
        "openssl", "s_client", "-unix", "socket", version, "-CAfile", "ca.pem", "-verify_return_error", "-verify_hostname",
        "enclave.example", "-servername", "enclave.example", "-quiet", NULL});
    int file = accept(listening, NULL, NULL);
    SSL *ssl = SSL_new(tls);
    bool accepted = file >= 0 && SSL_set_fd(ssl, file) == 1 && SSL_accept(ssl) == 1;
    bool answered = accepted && write(caller.input, "from outside\n", 13) == 13 &&
                    SSL_read(ssl, line, sizeof line - 1) == 13 && SSL_write(ssl, "of the enclave\n", 15) == 15;
    if (accepted) SSL_shutdown(ssl);
    SSL_free(ssl);
    close(file);
    close(listening);
    int status = end(&caller, said, sizeof said);
    return answered && status == 0 && strcmp(line, "from outside\n") == 0 && strstr(said, "of the enclave") != NULL;
}

/* Calls a server that demands a certificate, and turns a line round; whether the handshake and that went well. */
static bool call(SSL_CTX *tls, const char *version) {
    struct sockaddr_un name = address();
    char said[16384] = "", line[64] = "";
    unlink(name.sun_path);
    struct program server = start((const char *const[]){
        "openssl", "s_server", "-unix", "socket", "-naccept", "1", "-rev", version, "-cert", "server.pem", "-key",
        "server.key", "-CAfile", "ca.pem", "-Verify", "1", "-verify_return_error", NULL});
    bool listens = hear(&server, "ACCEPT", said, sizeof said);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    SSL *ssl = SSL_new(tls);
    SSL_set_verify(ssl, SSL_VERIFY_PEER, NULL);
    SSL_set1_host(ssl, "server.example");
    bool answered = listens && connect(file, (struct sockaddr *)&name, sizeof name) == 0 && SSL_set_fd(ssl, file) == 1 &&
                    SSL_connect(ssl) == 1 && SSL_write(ssl, "enclave\n", 8) == 8 &&
                    SSL_read(ssl, line, sizeof line - 1) == 8;
    if (answered) SSL_shutdown(ssl);
    SSL_free(ssl);
    close(file);
    end(&server, said, sizeof said);
    return answered && strcmp(line, "evalcne\n") == 0 && strstr(said, "enclave.example") != NULL;
}

int main(void) {
    const char *home = getenv("HOME");
    if (!home || chdir(home) != 0) return EXIT_FAILURE;
    signal(SIGPIPE, SIG_IGN);
    expect(RUN("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-subj", "/CN=authority",
               "-days", "30", "-out", "ca.pem"));
    expect(RUN("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-subj",
               "/CN=server.example", "-addext", "subjectAltName=DNS:server.example", "-days", "30", "-CA", "ca.pem", "-CAkey",
               "ca.key", "-out", "server.pem"));
    method = EC_KEY_METHOD_new(EC_KEY_OpenSSL());
    EC_KEY_METHOD_set_sign(method, sign, NULL, NULL);
    place = EC_KEY_get_ex_new_index(0, NULL, NULL, NULL, NULL);

    SecKeyRef made = make_key(CFSTR("of the enclave")), other = make_key(CFSTR("another"));
    SecCertificateRef certificate = certify(made);
    SecKeyRef key = find_key(certificate);
    expect(key && CFEqual(key, made));
    stays(made);
    stays(key);
    const struct {
        int number;
        const char *option;
    } versions[] = {{TLS1_2_VERSION, "-tls1_2"}, {TLS1_3_VERSION, "-tls1_3"}};
    for (int index = 0; index < 2; index++) {
        SSL_CTX *server = context(TLS_server_method(), versions[index].number, certificate, key);
        SSL_CTX *client = context(TLS_client_method(), versions[index].number, certificate, key);
        int before = signatures;
        expect(serve(server, versions[index].option) && signatures == before + 1);
        expect(call(client, versions[index].option) && signatures == before + 2);
        SSL_CTX_free(server);
        SSL_CTX_free(client);
        /* What another key signs is refused by who calls. */
        server = context(TLS_server_method(), versions[index].number, certificate, other);
        expect(!serve(server, versions[index].option) && signatures == before + 3);
        SSL_CTX_free(server);
    }
    EC_KEY_METHOD_free(method);
    CFTypeRef all[] = {made, other, certificate, key};
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) if (all[index]) CFRelease(all[index]);
    return finish();
}
