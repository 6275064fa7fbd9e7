#include "floor.h"

#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define STEP_US 10
#define STEPS 500000  // latencies up to five seconds
#define GREETING_S 20
#define DRAIN_S 10
#define OUTAGE_S 3600

typedef struct {
    long long coin_ins, ends;
} Count;

static struct {
    const Wire *wire;
    Table *tables;
    int count, greeted, done;
    bool counting, draining, coin_ins_only;
    int stored;  // rounds that each table has kept through an outage and tells now, then no more; 0 is without end
    int64_t greeting_ns;
    Count all, window;
    long long repeats, refused, lost;
    char first_refusal[240];
    uint32_t steps[STEPS];
    double pace;  // messages a second over all tables; 0 is as fast as answers come
    int64_t due_ns;
    Table **ready;
    int first_ready, ready_count;
} floor_;

static const char *const SEATS[4][2] = {
    {"1,2,5", "1100100"}, {"1,3,4,6", "1011010"}, {"2", "0100000"}, {"1,2,3,4,5,6", "1111110"},
};

const char *floor_time(int seconds_ago) {
    static char text[40];
    static int64_t last_ms;
    int64_t ms = wall_ns() / 1000000 - seconds_ago * 1000LL;
    if (ms != last_ms) {
        time_t seconds = ms / 1000;
        struct tm parts;
        gmtime_r(&seconds, &parts);
        size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
        snprintf(text + length, sizeof text - length, ".%03dZ", (int)(ms % 1000));
        last_ms = ms;
    }
    return text;
}

static void finish(Table *table) {
    if (table->stage == DONE) return;
    table->stage = DONE;
    floor_.done++;
}

static void say_next(Table *table) {
    char body[256];
    int length;
    table->id++;
    if (table->stage == COIN) {
        const char *const *seats = SEATS[table->round & 3];
        length = snprintf(body, sizeof body, "{\"id\":%d,\"do\":\"coin_in\",\"round\":%lld,\"seats\":[%s],\"spots\":\"%s\",\"at\":\"%s\"}",
                          table->id, table->round, seats[0], seats[1], floor_time(floor_.stored ? OUTAGE_S : 0));
    } else {
        length = snprintf(body, sizeof body, "{\"id\":%d,\"do\":\"end\",\"round\":%lld}", table->id, table->round);
    }
    table->sent_ns = now_ns();
    floor_.wire->say(table, body, (size_t)length);
}

static void go_on(Table *table) {
    bool told = floor_.stored && table->told == floor_.stored;
    if ((floor_.draining || told) && table->stage == COIN) {
        finish(table);
    } else if (floor_.pace > 0) {
        floor_.ready[(floor_.first_ready + floor_.ready_count++) % floor_.count] = table;
    } else {
        say_next(table);
    }
}

static void let_go(void) {
    while (floor_.ready_count > 0 && (floor_.draining || now_ns() >= floor_.due_ns)) {
        Table *table = floor_.ready[floor_.first_ready];
        floor_.first_ready = (floor_.first_ready + 1) % floor_.count;
        floor_.ready_count--;
        floor_.due_ns += (int64_t)(1e9 / floor_.pace);
        if (floor_.draining && table->stage == COIN) finish(table);
        else say_next(table);
    }
}

static void note(const char *text) {
    if (floor_.first_refusal[0] != '\0') return;
    snprintf(floor_.first_refusal, sizeof floor_.first_refusal, "%s", text);
    for (char *at = floor_.first_refusal; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ') *at = '\'';
    }
}

void floor_lost(Table *table, const char *why) {
    note(why);
    floor_.lost++;
    close(table->fd);
    finish(table);
}

static void count_latency(const Table *table) {
    int64_t step = (now_ns() - table->sent_ns) / 1000 / STEP_US;
    floor_.steps[step < STEPS ? step : STEPS - 1]++;
}

static void greeted(Table *table, const char *answer) {
    long long open = number_at(field(answer, "open_round"), 0);
    long long next = number_at(field(answer, "next_round"), 0);
    floor_.greeted++;
    table->stage = open > 0 ? LEFTOVER : COIN;
    table->round = open > 0 ? open : next;
}

static void coin_counted(Table *table) {
    floor_.all.coin_ins++;
    floor_.window.coin_ins += floor_.counting;
    if (floor_.coin_ins_only) table->round++;
    else table->stage = END;
}

static void round_ended(Table *table, const char *answer) {
    floor_.all.ends++;
    floor_.window.ends += floor_.counting;
    table->told++;
    table->round = number_at(field(answer, "next_round"), table->round + 1);
    table->stage = COIN;
}

void floor_heard(Table *table, const char *answer) {
    const char *ok = field(answer, "ok");
    if (ok == NULL) return;  // a push of the server, not an answer
    if (!is_true(ok)) {
        note(answer);
        floor_.refused++;
        finish(table);
        return;
    }
    if (floor_.counting) count_latency(table);
    floor_.repeats += is_true(field(answer, "repeat"));
    switch (table->stage) {
        case GREETING: greeted(table, answer); break;
        case COIN: coin_counted(table); break;
        case LEFTOVER: // fall through
        case END: round_ended(table, answer); break;
        case DONE: return;
    }
    go_on(table);
}

static void read_roster(const char *path) {
    char secret[80];
    uint8_t bytes[64];
    FILE *roster = fopen(path, "r");
    if (roster == NULL) give_up(path);
    for (;;) {
        floor_.tables = realloc(floor_.tables, (size_t)(floor_.count + 1) * sizeof *floor_.tables);
        if (floor_.tables == NULL) give_up("memory");
        Table *table = memset(&floor_.tables[floor_.count], 0, sizeof *floor_.tables);
        if (fscanf(roster, "%d %99s %47s %79s", &table->port, table->path, table->device, secret) != 4) break;
        int length = bytes_of_hex(secret, bytes, sizeof bytes);
        table->has_key = length > 0;
        if (table->has_key) hmac_key(&table->key, bytes, (size_t)length);
        table->sequence = wall_ns() / 1000;
        floor_.count++;
    }
    fclose(roster);
}

static void connect_all(int epoll) {
    for (int i = 0; i < floor_.count; i++) {
        Table *table = &floor_.tables[i];
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = table};
        table->fd = connect_loopback(table->port);
        table->sent_ns = now_ns();
        floor_.wire->open(table);
        fcntl(table->fd, F_SETFL, O_NONBLOCK);
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, table->fd, &event) < 0) give_up("epoll_ctl");
    }
}

static void read_some(Table *table) {
    ssize_t got = recv(table->fd, table->buffer + table->have, BUFFER - table->have, 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
        floor_lost(table, "the connection was closed");
        return;
    }
    table->have += (size_t)got;
    table->buffer[table->have] = '\0';
    floor_.wire->hear(table);
}

static void turn(int epoll) {
    struct epoll_event events[256];
    int count = epoll_wait(epoll, events, 256, floor_.pace > 0 ? 1 : 20);
    for (int i = 0; i < count; i++) {
        Table *table = events[i].data.ptr;
        if (table->stage != DONE) read_some(table);
    }
    if (floor_.pace > 0) let_go();
}

static void turn_until(int epoll, int64_t end_ns) {
    while (now_ns() < end_ns && floor_.done < floor_.count) turn(epoll);
}

// A table plays as soon as it was greeted: servers hang up on kept-alive connections that say nothing for seconds.
static void greet_all(int epoll) {
    floor_.due_ns = now_ns();
    int64_t end = now_ns() + GREETING_S * 1000000000LL;
    // Who has told all that it kept is done while others are still greeted; who is refused or lost ends it for all.
    while (floor_.greeted < floor_.count && floor_.refused + floor_.lost == 0 && now_ns() < end) turn(epoll);
    if (floor_.greeted == floor_.count) return;
    fprintf(stderr, "%d of %d tables were greeted. %s\n", floor_.greeted, floor_.count, floor_.first_refusal);
    exit(1);
}

static double percentile_ms(double part) {
    uint64_t all = 0, seen = 0;
    for (int i = 0; i < STEPS; i++) all += floor_.steps[i];
    for (int i = 0; i < STEPS; i++) {
        seen += floor_.steps[i];
        if (seen > 0 && (double)seen >= part * (double)all) return (i + 0.5) * STEP_US / 1000.0;
    }
    return 0;
}

static void report(int64_t window_ns, int64_t cpu_us, int64_t code_us) {
    printf("{\"tables\":%d,\"greeted_ms\":%.3f,\"code_seconds\":%.6f,\"seconds\":%.6f,\"cpu_seconds\":%.6f,\"coin_ins\":%lld,\"ends\":%lld,\"p50_ms\":%.3f,\"p99_ms\":%.3f,"
           "\"all_coin_ins\":%lld,\"all_ends\":%lld,\"repeats\":%lld,\"refused\":%lld,\"lost\":%lld,\"unfinished\":%d,"
           "\"first_refusal\":\"%s\"}\n",
           floor_.count, (double)floor_.greeting_ns / 1e6, (double)code_us / 1e6, (double)window_ns / 1e9, (double)cpu_us / 1e6, floor_.window.coin_ins, floor_.window.ends, percentile_ms(0.5),
           percentile_ms(0.99), floor_.all.coin_ins, floor_.all.ends, floor_.repeats, floor_.refused, floor_.lost,
           floor_.count - floor_.done, floor_.first_refusal);
}

static void say_where(const char *word) {
    puts(word);
    fflush(stdout);
}

static void play(int epoll, int warm_up_ms, int window_ms) {
    turn_until(epoll, now_ns() + warm_up_ms * 1000000LL);
    floor_.counting = true;
    int64_t began = now_ns(), cpu = own_cpu_us(), code = own_code_us();
    say_where("begin");
    turn_until(epoll, began + window_ms * 1000000LL);
    floor_.counting = false;
    int64_t lasted = now_ns() - began;
    cpu = own_cpu_us() - cpu;
    code = own_code_us() - code;
    say_where("end");
    floor_.draining = true;
    turn_until(epoll, now_ns() + DRAIN_S * 1000000000LL);
    report(lasted, cpu, code);
}

int floor_main(const Wire *wire, int count, char **words) {
    if (count != 5 && count != 6) {
        fprintf(stderr, "usage: %s ROSTER WARM_UP_MS WINDOW_MS PACE [coin-ins|stored=ROUNDS]\nroster lines: PORT PATH DEVICE SECRET\n", words[0]);
        return 2;
    }
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    floor_.wire = wire;
    floor_.pace = atof(words[4]);
    floor_.coin_ins_only = count == 6 && strcmp(words[5], "coin-ins") == 0;
    floor_.stored = count == 6 && strncmp(words[5], "stored=", 7) == 0 ? atoi(words[5] + 7) : 0;
    read_roster(words[1]);
    floor_.ready = calloc((size_t)floor_.count, sizeof *floor_.ready);
    if (epoll < 0 || floor_.ready == NULL || floor_.count == 0) give_up("start");
    int64_t began = now_ns();
    connect_all(epoll);
    greet_all(epoll);
    floor_.greeting_ns = now_ns() - began;
    play(epoll, atoi(words[2]), atoi(words[3]));
    return 0;
}
