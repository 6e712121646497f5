// SPDX-License-Identifier: Apache-2.0

#include "key.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CERTIFICATES = 8 };

/// In place of OpenSSL's own verification, which does not take place.
static int verify(X509_STORE_CTX *store, void *context) {
    const llt_tls_client *client = context;
    // The server's own certificate is the first of these.
    STACK_OF(X509) *sent = X509_STORE_CTX_get0_untrusted(store);
    unsigned char *certificates[MOST_CERTIFICATES] = {NULL};
    size_t sizes[MOST_CERTIFICATES];
    int count = sk_X509_num(sent);
    bool trusted = count > 0 && count <= MOST_CERTIFICATES;
    for (int index = 0; trusted && index < count; index++) {
        int size = i2d_X509(sk_X509_value(sent, index), &certificates[index]);
        trusted = size > 0;
        sizes[index] = (size_t)size;
    }
    trusted = trusted && client->trust(client->context, (const uint8_t *const *)certificates, sizes, (size_t)count);
    for (int index = 0; index < MOST_CERTIFICATES; index++) OPENSSL_free(certificates[index]);
    X509_STORE_CTX_set_error(store, trusted ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION);
    return trusted;
}

static bool use_certificate(SSL_CTX *tls, const llt_tls_client *client) {
    if (client->certificate == NULL) return true;
    const unsigned char *der = client->certificate;
    X509 *certificate = d2i_X509(NULL, &der, (long)client->certificate_size);
    EVP_PKEY *key = certificate == NULL ? NULL : llt_tls_key(X509_get0_pubkey(certificate), client);
    bool used = key != NULL && SSL_CTX_use_certificate(tls, certificate) == 1 && SSL_CTX_use_PrivateKey(tls, key) == 1;
    X509_free(certificate);
    EVP_PKEY_free(key);
    return used;
}

static SSL_CTX *context_for(const llt_tls_client *client) {
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    if (tls == NULL) return NULL;
    SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(tls, verify, (void *)client);
    if (SSL_CTX_set_min_proto_version(tls, client->version) == 1 &&
        SSL_CTX_set_max_proto_version(tls, client->version) == 1 && use_certificate(tls, client))
        return tls;
    SSL_CTX_free(tls);
    return NULL;
}

static int connected_socket(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval limit = {.tv_sec = 20};
    if (strlen(path) >= sizeof(address.sun_path)) return -1;
    strcpy(address.sun_path, path);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0) return -1;
    if (setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) == 0 &&
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) == 0 &&
        connect(file, (struct sockaddr *)&address, sizeof(address)) == 0)
        return file;
    close(file);
    return -1;
}

static int exchange(SSL *ssl, const char *line, char *answer, size_t answer_size) {
    if (SSL_connect(ssl) != 1) return LLT_TLS_NO_HANDSHAKE;
    if (SSL_write(ssl, line, (int)strlen(line)) <= 0) return LLT_TLS_NO_ANSWER;
    size_t count = 0;
    do {
        int more = count + 1 < answer_size ? SSL_read(ssl, answer + count, (int)(answer_size - 1 - count)) : 0;
        if (more <= 0) return LLT_TLS_NO_ANSWER;
        count += (size_t)more;
        answer[count] = 0;
    } while (answer[count - 1] != '\n');
    SSL_shutdown(ssl);
    return LLT_TLS_DONE;
}

static int talk(const llt_tls_client *client, const char *line, char *answer, size_t answer_size) {
    int result = LLT_TLS_NOT_STARTED;
    SSL_CTX *tls = context_for(client);
    SSL *ssl = tls == NULL ? NULL : SSL_new(tls);
    int file = ssl == NULL ? -1 : connected_socket(client->path);
    if (file >= 0 && SSL_set_fd(ssl, file) == 1 && SSL_set_tlsext_host_name(ssl, client->host) == 1)
        result = exchange(ssl, line, answer, answer_size);
    SSL_free(ssl);
    SSL_CTX_free(tls);
    if (file >= 0) close(file);
    return result;
}

int llt_tls_talk(const llt_tls_client *client, const char *line, char *answer, size_t answer_size, char *reason,
                 size_t reason_size) {
    // A server that hangs up must not end the tests: the signal of that is kept from this thread, and then taken off.
    sigset_t pipe, before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    ERR_clear_error();
    answer[0] = 0;
    int result = talk(client, line, answer, answer_size);
    const char *text = ERR_reason_error_string(ERR_peek_error());
    strncpy(reason, text == NULL ? "" : text, reason_size - 1);
    reason[reason_size - 1] = 0;
    ERR_clear_error();
    if (!sigismember(&before, SIGPIPE)) {
        const struct timespec now = {0};
        while (sigtimedwait(&pipe, NULL, &now) == SIGPIPE) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}
