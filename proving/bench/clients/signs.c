// Signs on the wall: they only listen. Every message with a version is noted with the time of its arrival, and all are
// written to a file at the end as lines of three 8-byte numbers: sign, version, nanoseconds since 1970.
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#define BUFFER 8192
#define READY_S 60

typedef struct {
    int fd, port;
    char path[100], cookie[400];
    bool upgraded, lit;
    size_t have;
    char buffer[BUFFER + 1];
} Sign;

typedef struct {
    uint64_t sign, version, at_ns;
} Arrival;

static struct {
    Sign *signs;
    size_t count, lit, closed, heard;
    Arrival *arrivals;
    size_t noted, room;
    bool counting;
    int64_t lit_ns;
} wall;

static void note(const Sign *sign, uint64_t version) {
    if (wall.noted == wall.room) {
        wall.room = wall.room * 2 + 4096;
        wall.arrivals = realloc(wall.arrivals, wall.room * sizeof *wall.arrivals);
        if (wall.arrivals == NULL) give_up("memory");
    }
    wall.arrivals[wall.noted++] = (Arrival){(uint64_t)(sign - wall.signs), version, (uint64_t)wall_ns()};
}

static void heard_text(Sign *sign, const char *text) {
    const char *version = field(text, "version");
    if (version == NULL) return;
    wall.lit += !sign->lit;
    sign->lit = true;
    wall.heard += wall.counting;
    note(sign, (uint64_t)number_at(version, 0));
}

static void heard_frame(Sign *sign, Frame frame, char *payload) {
    char after = payload[frame.length];
    payload[frame.length] = '\0';
    if (frame.kind == FRAME_TEXT) heard_text(sign, payload);
    if (frame.kind == FRAME_PING) send_pong(sign->fd, payload, frame.length);
    if (frame.kind == FRAME_CLOSE) wall.closed++;
    payload[frame.length] = after;
}

static void hear(Sign *sign) {
    size_t eaten = 0;
    if (!sign->upgraded && !(sign->upgraded = was_upgraded(sign->buffer, &sign->have))) return;
    for (;;) {
        Frame frame = next_frame(sign->buffer + eaten, sign->have - eaten);
        if (frame.kind == FRAME_NONE) break;
        heard_frame(sign, frame, sign->buffer + (frame.payload - sign->buffer));
        eaten += frame.consumed;
    }
    memmove(sign->buffer, sign->buffer + eaten, sign->have - eaten);
    sign->have -= eaten;
}

static void turn(int epoll) {
    struct epoll_event events[256];
    int count = epoll_wait(epoll, events, 256, 20);
    for (int i = 0; i < count; i++) {
        Sign *sign = events[i].data.ptr;
        ssize_t got = recv(sign->fd, sign->buffer + sign->have, BUFFER - sign->have, 0);
        if (got < 0 && errno == EAGAIN) continue;
        if (got <= 0) {
            wall.closed++;
            epoll_ctl(epoll, EPOLL_CTL_DEL, sign->fd, NULL);
            continue;
        }
        sign->have += (size_t)got;
        sign->buffer[sign->have] = '\0';
        hear(sign);
    }
}

static void turn_until(int epoll, int64_t end_ns) {
    while (now_ns() < end_ns) turn(epoll);
}

static void read_roster(const char *path) {
    FILE *roster = fopen(path, "r");
    if (roster == NULL) give_up(path);
    for (;;) {
        wall.signs = realloc(wall.signs, (wall.count + 1) * sizeof *wall.signs);
        if (wall.signs == NULL) give_up("memory");
        Sign *sign = memset(&wall.signs[wall.count], 0, sizeof *wall.signs);
        if (fscanf(roster, "%d %99s %399s", &sign->port, sign->path, sign->cookie) != 3) break;
        wall.count++;
    }
    fclose(roster);
}

static void hang_up_all(int epoll) {
    for (size_t i = 0; i < wall.count; i++) {
        Sign *sign = &wall.signs[i];
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = sign};
        sign->fd = connect_loopback(sign->port);
        ask_upgrade(sign->fd, sign->path, strcmp(sign->cookie, "-") == 0 ? NULL : sign->cookie);
        fcntl(sign->fd, F_SETFL, O_NONBLOCK);
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, sign->fd, &event) < 0) give_up("epoll_ctl");
        if (i % 50 == 49) turn(epoll);
    }
    int64_t end = now_ns() + READY_S * 1000000000LL;
    while (wall.lit < wall.count && wall.closed == 0 && now_ns() < end) turn(epoll);
    if (wall.lit == wall.count) return;
    fprintf(stderr, "%zu of %zu signs show a meter, %zu were closed\n", wall.lit, wall.count, wall.closed);
    exit(1);
}

static void write_arrivals(const char *path) {
    FILE *out = fopen(path, "wb");
    if (out == NULL || fwrite(wall.arrivals, sizeof *wall.arrivals, wall.noted, out) != wall.noted || fclose(out) != 0) give_up(path);
}

static void say_where(const char *word) {
    puts(word);
    fflush(stdout);
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: %s ROSTER WARM_UP_MS WINDOW_MS ARRIVALS\nroster lines: PORT PATH COOKIE (or -)\n", words[0]);
        return 2;
    }
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    read_roster(words[1]);
    int64_t came = now_ns();
    hang_up_all(epoll);
    wall.lit_ns = now_ns() - came;
    say_where("ready");
    turn_until(epoll, now_ns() + atoi(words[2]) * 1000000LL);
    wall.counting = true;
    int64_t began = now_ns(), began_at = wall_ns(), cpu = own_cpu_us();
    say_where("begin");
    turn_until(epoll, began + atoi(words[3]) * 1000000LL);
    wall.counting = false;
    double seconds = (double)(now_ns() - began) / 1e9, cpu_seconds = (double)(own_cpu_us() - cpu) / 1e6;
    say_where("end");
    turn_until(epoll, now_ns() + 1000000000LL);  // the last commits of the window arrive
    write_arrivals(words[4]);
    printf("{\"signs\":%zu,\"began_at\":%.6f,\"seconds\":%.6f,\"cpu_seconds\":%.6f,\"messages\":%zu,\"closed\":%zu,\"lit_ms\":%.3f}\n", wall.count,
           (double)began_at / 1e9, seconds, cpu_seconds, wall.heard, wall.closed,
           (double)wall.lit_ns / 1e6);
    return 0;
}
