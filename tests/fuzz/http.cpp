// Bytes of a stranger at the viewer's door, over a real connection: the answer is HTTP or nothing,
// nobody comes in without a key, and the server lives on.

#include "server.h"

#include "fuzz.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

using namespace sinew;
using namespace sinew::viewer;

namespace {

constexpr std::string_view kPort = "PORT"; // in inputs: the server's own

Server& server()
{
    static const std::unique_ptr<Server> made = [] {
        constexpr Asset kPage{.path = "/index.html", .data = "the page"};
        static const Asset assets[] = {kPage};
        Result<std::unique_ptr<Server>> started =
            Server::start({.assets = assets, .most_connections = 8, .header_seconds = 1},
                          {.connected = [](ClientId) { fuzz::require(false, "no page comes in"); },
                           .received = [](ClientId, const std::string&) { return true; },
                           .disconnected = [](ClientId) {}});
        fuzz::require(!!started, "there is a server");
        return std::move(*started);
    }();
    return *made;
}

/// Connects in spite of the fuzzer's own alarm, which may interrupt it: then it goes on by itself.
bool connect_to(int connection, const sockaddr_in& address)
{
    if (::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return true;
    if (errno != EINTR)
        return false;
    pollfd waited{.fd = connection, .events = POLLOUT, .revents = 0};
    while (::poll(&waited, 1, -1) < 0 && errno == EINTR) {
    }
    int fault = 0;
    socklen_t size = sizeof fault;
    return ::getsockopt(connection, SOL_SOCKET, SO_ERROR, &fault, &size) == 0 && fault == 0;
}

/// Sends it all, says that no more comes, and reads what comes back.
std::string exchange(const std::string& bytes)
{
    const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server().port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{5, 0};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const linger at_once{1, 0}; // leaves no port behind: there are only so many
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    fuzz::require(connect_to(connection, address), "the server lives on");
    [[maybe_unused]] const ssize_t sent =
        ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    ::shutdown(connection, SHUT_WR);
    std::string answer;
    char part[4096];
    for (ssize_t count;
         (count = ::recv(connection, part, sizeof part, 0)) > 0 || (count < 0 && errno == EINTR);)
        answer.append(part, std::size_t(std::max<ssize_t>(count, 0)));
    ::close(connection);
    return answer;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    std::string bytes(reinterpret_cast<const char*>(data), size);
    const std::string port = std::to_string(server().port());
    for (std::size_t at = 0; (at = bytes.find(kPort, at)) != bytes.npos; at += port.size())
        bytes.replace(at, kPort.size(), port);
    const std::string answer = exchange(bytes);
    fuzz::require(answer.empty() || answer.starts_with("HTTP/1."), "an answer is HTTP");
    const std::string status = answer.size() > 12 ? answer.substr(9, 3) : "400";
    fuzz::require(status[0] == '4' || status == "503", "nobody comes in without a key");
    fuzz::require(answer.find("the page") == answer.npos, "no page without a key");
    return 0;
}
