/* A day's work for SQLite: 60,000 rows inserted in one transaction, an index, four questions.
   Prints what the questions answer, so that two builds can be compared. */
#include "sqlite3.h"
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 60000
#endif

static void must(int code, int wanted, sqlite3 *db)
{
    if (code != wanted) {
        printf("%d: %s\n", code, sqlite3_errmsg(db));
        exit(1);
    }
}

static void execute(sqlite3 *db, const char *text)
{
    must(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK, db);
}

static void ask(sqlite3 *db, const char *text)
{
    sqlite3_stmt *stmt;
    int code;
    must(sqlite3_prepare_v2(db, text, -1, &stmt, NULL), SQLITE_OK, db);
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            const unsigned char *value = sqlite3_column_text(stmt, i);
            printf("%s%s", i ? "|" : "", value ? (const char *)value : "");
        }
        printf("\n");
    }
    must(code, SQLITE_DONE, db);
    sqlite3_finalize(stmt);
}

int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *insert;
    char text[32];
    unsigned state = 12345;

    must(sqlite3_open(":memory:", &db), SQLITE_OK, db);
    execute(db, "create table t(id integer primary key, name text, number integer)");
    execute(db, "begin");
    must(sqlite3_prepare_v2(db, "insert into t(name, number) values(?, ?)", -1, &insert, NULL), SQLITE_OK, db);
    for (int i = 0; i < ROWS; i++) {
        state = state * 1103515245 + 12345;
        snprintf(text, sizeof text, "name %u", state >> 8);
        sqlite3_bind_text(insert, 1, text, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int(insert, 2, (int)(state >> 16) % 1000);
        must(sqlite3_step(insert), SQLITE_DONE, db);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    execute(db, "commit");
    execute(db, "create index by_number on t(number)");
    ask(db, "select count(*), sum(number), min(name), max(name) from t");
    ask(db, "select number, count(*) from t where number between 10 and 14 group by number");
    ask(db, "select name from t where number = 500 order by name limit 5");
    ask(db, "select count(*) from t where name like '%77%'");
    sqlite3_close(db);
    return 0;
}
