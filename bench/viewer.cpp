// How many frames a second the viewer's server brings to a page over a real socket of this machine,
// each encoded anew, and how large they are. Beside it the rival: the same bytes written to a bare
// socket, which is all that the machine can do.
//
//   ./dev bench viewer

#include "encode.h"
#include "server.h"

#include <fmt/core.h>

#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace sinew;
using namespace sinew::viewer;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSeconds = 2;

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A socket that reads whole pieces and is closed whatever happens.
class Socket {
public:
    explicit Socket(int opened) : socket_(opened) {}
    ~Socket() { ::close(socket_); }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    static int connect_to(std::uint16_t port)
    {
        const int made = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(made, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
            std::perror("connect");
        return made;
    }

    bool read(void* data, std::size_t size)
    {
        return ::recv(socket_, data, size, MSG_WAITALL) == static_cast<ssize_t>(size);
    }
    void write(const std::string& text)
    {
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t count = ::send(socket_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
            if (count <= 0)
                return;
            at += static_cast<std::size_t>(count);
        }
    }
    void shut() { ::shutdown(socket_, SHUT_RDWR); }

private:
    int socket_;
};

/// The page's side: gives the token for a cookie, asks for the WebSocket, then reads message after
/// message.
class Page {
public:
    Page(std::uint16_t port, const std::string& token) : socket_(Socket::connect_to(port))
    {
        socket_.write(
            fmt::format("GET /?token={1} HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\n\r\n", port, token));
        const std::string welcome = read_head();
        const std::size_t cookie = welcome.find("sinew_"), pass = welcome.find("#pass=") + 6;
        socket_.write(fmt::format("GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\n"
                                  "Origin: http://127.0.0.1:{0}\r\nCookie: {1}\r\n"
                                  "Sec-WebSocket-Protocol: sinew, {2}\r\n"
                                  "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                                  "Sec-WebSocket-Version: 13\r\n"
                                  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                                  port, welcome.substr(cookie, welcome.find(';', cookie) - cookie),
                                  welcome.substr(pass, welcome.find('\r', pass) - pass)));
        read_head();
    }

    /// The size of the next message; 0 at the end.
    std::size_t read_message()
    {
        unsigned char head[2], length[8] = {};
        if (!socket_.read(head, 2))
            return 0;
        const std::size_t more = head[1] == 127 ? 8 : head[1] == 126 ? 2 : 0;
        if (!socket_.read(length, more))
            return 0;
        std::size_t size = more == 0 ? head[1] : 0;
        for (std::size_t i = 0; i < more; ++i)
            size = size << 8 | length[i];
        message_.resize(size);
        return socket_.read(message_.data(), size) ? size : 0;
    }

private:
    std::string read_head()
    {
        std::string head;
        for (char c; !head.ends_with("\r\n\r\n") && socket_.read(&c, 1);)
            head += c;
        return head;
    }

    Socket socket_;
    std::vector<char> message_;
};

/// Points that move, so that every frame is another one.
DisplayFrame make_frame(std::size_t count)
{
    DisplayFrame frame;
    frame.points.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        frame.points[i] = {double(i % 100), double(i / 100), 0};
    return frame;
}

struct Served {
    double encode_ms = 0, per_second = 0;
    std::size_t bytes = 0;
};

Served measure_server(std::size_t count)
{
    std::atomic<ClientId> client = 0;
    Result<std::unique_ptr<Server>> server = Server::start(
        {.assets = {}}, {.connected = [&](ClientId id) { client = id; },
                         .received = [](ClientId, const std::string&) { return true; },
                         .disconnected = [&](ClientId) { client = 0; }});
    if (!server)
        return {};
    Page page((*server)->port(), (*server)->first_token());
    while (client == 0)
        std::this_thread::yield();

    Served served;
    std::atomic<bool> is_over = false;
    std::thread producer([&] {
        DisplayFrame frame = make_frame(count);
        double spent = 0;
        std::uint32_t made = 0;
        while (!is_over) {
            for (Vec3& point : frame.points)
                point.z += 0.001;
            const Clock::time_point begin = Clock::now();
            const auto bytes = std::make_shared<const std::string>(
                encode(FrameBytes{.revision = 1, .frame = made++, .display = &frame}));
            spent += seconds_since(begin);
            (*server)->send_frame(client, bytes);
            // A page needs no more than a thousand frames a second.
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        served.encode_ms = 1000 * spent / made;
    });
    served.bytes = page.read_message();
    const Clock::time_point begin = Clock::now();
    int frames = 0;
    for (; seconds_since(begin) < kSeconds; ++frames)
        page.read_message();
    served.per_second = frames / seconds_since(begin);
    is_over = true;
    producer.join();
    return served;
}

/// Two ends of one TCP connection.
double measure_socket(std::size_t bytes)
{
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener, 1) != 0 ||
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        std::perror("listen");
    Socket reader(Socket::connect_to(ntohs(address.sin_port)));
    Socket writer(::accept(listener, nullptr, nullptr));
    ::close(listener);

    std::atomic<bool> is_over = false;
    std::thread producer([&] {
        const std::string data(bytes, 'x');
        while (!is_over)
            writer.write(data);
    });
    std::vector<char> data(bytes);
    const Clock::time_point begin = Clock::now();
    int count = 0;
    for (; seconds_since(begin) < kSeconds && reader.read(data.data(), bytes); ++count) {
    }
    const double per_second = count / seconds_since(begin);
    is_over = true;
    reader.shut();
    producer.join();
    return per_second;
}

} // namespace

int main()
{
    fmt::print("points,bytes_per_frame,encode_ms,frames_per_second,bare_socket_per_second\n");
    for (const std::size_t count : {1'000, 10'000, 100'000}) {
        const Served served = measure_server(count);
        fmt::print("{},{},{:.3f},{:.0f},{:.0f}\n", count, served.bytes, served.encode_ms,
                   served.per_second, measure_socket(served.bytes));
        std::fflush(stdout);
    }
}
