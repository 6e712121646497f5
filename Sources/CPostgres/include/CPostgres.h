// SPDX-License-Identifier: Apache-2.0
//
// PostgreSQL's client library, libpq, found when a circle is first used and not before: a keychain that is in none does not
// load it, and one and the same program runs where it is not installed. Declared here, so that its headers are not needed to
// build either; these functions have been the same since version 14, the first with pipelines.

#ifndef LLV_CPOSTGRES_H
#define LLV_CPOSTGRES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;

/// An option of a connection, as the library knows it.
typedef struct {
    const char *keyword;
    /// The variable of the environment that it is taken from when nothing else says it.
    const char *_Nullable envvar;
    const char *_Nullable compiled;
    const char *_Nullable val;
    const char *_Nullable label;
    const char *_Nullable dispchar;
    int dispsize;
} PQconninfoOption;

/// What NOTIFY sent.
typedef struct pgNotify {
    const char *relname;
    int be_pid;
    const char *_Nullable extra;
    struct pgNotify *_Nullable next;
} PGnotify;

/// Where a connection is; the library's ConnStatusType, as far as it is asked for.
enum {
    LLV_PQ_OK = 0,
    LLV_PQ_BAD = 1,
    LLV_PQ_MADE = 3,
    LLV_PQ_AWAITING_RESPONSE = 4,
    LLV_PQ_SSL_STARTUP = 7,
};

/// What PQconnectPoll waits for.
enum { LLV_PQ_POLL_FAILED = 0, LLV_PQ_POLL_READING = 1, LLV_PQ_POLL_WRITING = 2, LLV_PQ_POLL_OK = 3 };

/// What a result is.
enum {
    LLV_PQ_COMMAND_OK = 1,
    LLV_PQ_TUPLES_OK = 2,
    LLV_PQ_FATAL_ERROR = 7,
    LLV_PQ_SINGLE_TUPLE = 9,
    LLV_PQ_PIPELINE_SYNC = 10,
    LLV_PQ_PIPELINE_ABORTED = 11,
};

/// Errors say no more than their severity and code.
enum { LLV_PQ_ERRORS_SQLSTATE = 3 };
/// The field of an error that has the code.
enum { LLV_PQ_FIELD_SQLSTATE = 'C' };
/// Whether a transaction is open.
enum { LLV_PQ_TRANSACTION_IDLE = 0 };

typedef void (*llv_pq_notice_receiver)(void *_Nullable context, const PGresult *_Nullable result);

/// What is called of it: what each returns, its name, what it takes.
#define LLV_PQ(X) \
    X(int, PQlibVersion, (void)) \
    X(PQconninfoOption *_Nullable, PQconninfoParse, (const char *text, char *_Nullable *_Nullable error)) \
    X(void, PQconninfoFree, (PQconninfoOption *options)) \
    X(PGconn *_Nullable, PQconnectStartParams, \
      (const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values, int expand_dbname)) \
    X(int, PQconnectPoll, (PGconn *connection)) \
    X(int, PQstatus, (const PGconn *connection)) \
    X(int, PQtransactionStatus, (const PGconn *connection)) \
    X(const char *_Nullable, PQparameterStatus, (const PGconn *connection, const char *name)) \
    X(int, PQsocket, (const PGconn *connection)) \
    X(int, PQbackendPID, (const PGconn *connection)) \
    X(int, PQsslInUse, (PGconn *connection)) \
    X(void, PQfinish, (PGconn *connection)) \
    X(const char *_Nullable, PQerrorMessage, (const PGconn *connection)) \
    X(int, PQsetnonblocking, (PGconn *connection, int is_nonblocking)) \
    X(llv_pq_notice_receiver _Nullable, PQsetNoticeReceiver, \
      (PGconn *connection, llv_pq_notice_receiver receiver, void *_Nullable context)) \
    X(int, PQsetErrorVerbosity, (PGconn *connection, int verbosity)) \
    X(int, PQenterPipelineMode, (PGconn *connection)) \
    X(int, PQexitPipelineMode, (PGconn *connection)) \
    X(int, PQpipelineSync, (PGconn *connection)) \
    X(int, PQsendQueryParams, \
      (PGconn *connection, const char *command, int count, const Oid *_Nullable types, \
       const char *_Nullable const *_Nullable values, const int *_Nullable lengths, const int *_Nullable formats, \
       int result_format)) \
    X(int, PQsetSingleRowMode, (PGconn *connection)) \
    X(int, PQflush, (PGconn *connection)) \
    X(int, PQconsumeInput, (PGconn *connection)) \
    X(int, PQisBusy, (PGconn *connection)) \
    X(PGresult *_Nullable, PQgetResult, (PGconn *connection)) \
    X(int, PQresultStatus, (const PGresult *result)) \
    X(const char *_Nullable, PQresultErrorField, (const PGresult *result, int field)) \
    X(const char *_Nullable, PQcmdStatus, (PGresult *result)) \
    X(int, PQntuples, (const PGresult *result)) \
    X(int, PQnfields, (const PGresult *result)) \
    X(Oid, PQftype, (const PGresult *result, int column)) \
    X(int, PQfformat, (const PGresult *result, int column)) \
    X(int, PQgetisnull, (const PGresult *result, int row, int column)) \
    X(int, PQgetlength, (const PGresult *result, int row, int column)) \
    X(const char *_Nullable, PQgetvalue, (const PGresult *result, int row, int column)) \
    X(void, PQclear, (PGresult *result)) \
    X(PGnotify *_Nullable, PQnotifies, (PGconn *connection)) \
    X(void, PQfreemem, (void *memory))

/// The functions, under their own names.
typedef struct {
#define LLV_FIELD(result, name, arguments) result (*_Nonnull name) arguments;
    LLV_PQ(LLV_FIELD)
#undef LLV_FIELD
} llv_pq;

/// The library's functions, loaded at the first call; NULL when the library or one of them is missing.
const llv_pq *_Nullable llv_pq_functions(void);

/// Has a connection drop the server's notices, which the library would print.
void llv_pq_ignore_notices(PGconn *connection);

/// How many bytes were read from a socket since it was connected; 0 where that is not counted (a Unix socket).
uint64_t llv_pq_read(int socket);

#pragma clang assume_nonnull end

#endif
