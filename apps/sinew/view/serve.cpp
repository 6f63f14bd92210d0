#include "view.h"

#include "gate.h"
#include "printing.h"

#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace sinew::viewer {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kClosedTime =
    std::chrono::seconds(3); // a page that is loaded anew comes back sooner
constexpr auto kStopTime = std::chrono::milliseconds(500);
constexpr timespec kLookTime{0, 200'000'000};

/// Signals that end the program wait to be asked for, on every thread started from now on.
class Signals {
public:
    Signals()
    {
        sigemptyset(&ending_);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})
            sigaddset(&ending_, signal);
        pthread_sigmask(SIG_BLOCK, &ending_, &before_);
    }
    /// From here on they end it at once: a person who asks twice is in a hurry.
    ~Signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// True when one came within a moment.
    bool wait() const { return sigtimedwait(&ending_, nullptr, &kLookTime) > 0; }
    const sigset_t& before() const { return before_; }

private:
    sigset_t ending_, before_;
};

bool has_desktop()
{
    const auto is_set = [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value;
    };
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

/// A page that leads on to the address, for this user's eyes alone. Arguments of programs can be
/// read by all users of a machine: the token must not be among them.
class Signpost {
public:
    explicit Signpost(const std::string& url)
    {
        const char* folder = std::getenv("XDG_RUNTIME_DIR");
        path_ = std::string(folder && *folder ? folder : "/tmp") + "/sinew-XXXXXX.html";
        constexpr int kEnding = 5;
        const int file = mkstemps(path_.data(), kEnding); // mode 0600
        const std::string page = "<!doctype html><meta charset=utf-8><meta name=referrer "
                                 "content=no-referrer><meta http-equiv=refresh content=\"0; url=" +
                                 url + "\">\n";
        is_written_ = file >= 0 && write(file, page.data(), page.size()) == ssize_t(page.size());
        if (file >= 0)
            close(file);
    }
    ~Signpost() { unlink(path_.c_str()); }
    Signpost(const Signpost&) = delete;
    Signpost& operator=(const Signpost&) = delete;

    bool is_written() const { return is_written_; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    bool is_written_ = false;
};

/// The page goes to the person's own browser as an argument: there is no shell in between.
void open_browser(const std::string& page, const sigset_t& mask)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_t files; // what it chats about is nobody's business here
    posix_spawn_file_actions_init(&files);
    for (const int file : {STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_WRONLY, 0);
    std::string program = "xdg-open", address = page;
    char* const arguments[] = {program.data(), address.data(), nullptr};
    pid_t child = 0;
    posix_spawnp(&child, program.c_str(), &files, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
}

void warn_of_listening(const Address& address)
{
    if (address.is_loopback())
        return;
    fmt::print(stderr,
               "warning: listening at {} lets others reach this viewer over the network.\n"
               "    Anybody with the token in the address can change and save the script in its "
               "folder.\n"
               "    The traffic is not encrypted: who can listen in on the network can read the "
               "token.\n",
               address.address);
}

/// The page, and the pictures in its gallery.
std::span<const Asset> served_assets()
{
    static const std::vector<Asset> all = [] {
        std::vector<Asset> assets(page_assets().begin(), page_assets().end());
        assets.insert(assets.end(), gallery_assets().begin(), gallery_assets().end());
        return assets;
    }();
    return all;
}

std::string url_of(const Address& address, int port, const std::string& token)
{
    // A browser cannot go to "every address"; this machine's own is among them.
    const std::string reached = address.address == "0.0.0.0" ? "127.0.0.1"
                                : address.address == "::"    ? "::1"
                                                             : address.address;
    return "http://" + host_text(reached, port) + "/?token=" + token;
}

/// Says what to open instead of an address that was used.
void print_next(const Address& address, int port, const std::string& token)
{
    fmt::print("another browser: {}\n", url_of(address, port, token));
    std::fflush(stdout);
}

/// At an address of its own, where a person has chosen none and the system has more than 127.0.0.1.
/// Says where.
Result<std::unique_ptr<Server>> start_server(Address& address, const ServeOptions& options,
                                             ServerEvents events)
{
    const auto start = [&] {
        events.token_changed = [address](int port, const std::string& token) {
            print_next(address, port, token);
        };
        return Server::start(
            {.address = address.address, .port = address.port, .assets = served_assets()}, events);
    };
    const Address wanted = address;
    if (const std::string own = make_loopback_address(); !options.has_address && !own.empty()) {
        address.address = own;
        if (Result<std::unique_ptr<Server>> server = start(); server)
            return server;
        address = wanted;
    }
    return start();
}

void wait_for_end(const Signals& signals, const Server& server, bool exit_when_closed)
{
    std::uint64_t visits = 0;
    Clock::time_point seen = Clock::now();
    while (!signals.wait()) {
        while (waitpid(-1, nullptr, WNOHANG) > 0) {
        }
        if (server.client_count() > 0 || server.visit_count() != visits) {
            visits = server.visit_count();
            seen = Clock::now();
        } else if (exit_when_closed && visits > 0 && Clock::now() - seen > kClosedTime) {
            return;
        }
    }
}

} // namespace

std::optional<Address> parse_address(const std::string& text)
{
    Address out;
    std::string port;
    const std::size_t colon = text.rfind(':');
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == text.npos || (end + 1 != text.size() && text[end + 1] != ':'))
            return std::nullopt;
        out.address = text.substr(1, end - 1);
        port = end + 1 == text.size() ? "0" : text.substr(end + 2);
    } else if (colon == text.npos || text.find(':') != colon) { // none, or IPv6 without brackets
        out.address = text;
        port = "0";
    } else {
        out.address = text.substr(0, colon);
        port = text.substr(colon + 1);
    }
    const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (fault != std::errc() || end != port.data() + port.size() || out.address.empty())
        return std::nullopt;
    return out;
}

int serve(PlayerOptions player_options, const ServeOptions& options)
{
    const Signals signals;
    std::signal(SIGPIPE, SIG_IGN);
    Player player(std::move(player_options));
    Address address = options.address;
    Result<std::unique_ptr<Server>> server = start_server(address, options, player.events());
    if (!server) {
        app::print_problems(server.problems(), app::Colour::automatic);
        return 1;
    }
    if ((*server)->first_token().empty()) {
        fmt::print(stderr, "sinew view: the system gives no random numbers for a token\n");
        return 1;
    }
    warn_of_listening(address);
    const std::string url = url_of(address, (*server)->port(), (*server)->first_token());
    fmt::print("{}\n", url);
    std::fflush(stdout);
    player.start(**server);
    std::optional<Signpost> signpost;
    if (options.open_browser && has_desktop() && signpost.emplace(url).is_written())
        open_browser(signpost->path(), signals.before());
    wait_for_end(signals, **server, options.exit_when_closed);
    // A step that takes long holds nothing that the end of the process would lose: files are
    // replaced in one moment.
    if (!player.stop_within(kStopTime))
        std::_Exit(0);
    return 0;
}

} // namespace sinew::viewer
