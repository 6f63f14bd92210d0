#pragma once

// The viewer's server: a page and one WebSocket, on one port, with one thread of its own. It knows
// nothing of scenes: texts and frames go out, texts come in.

#include "assets.h"
#include "gate.h"

#include "sinew/error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace sinew::viewer {

using ClientId = std::uint64_t;
using Bytes = std::shared_ptr<const std::string>;

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0; ///< 0: any that is free
    std::span<const Asset> assets;
    std::size_t most_header_bytes = 8192;
    std::size_t most_message_bytes = 1 << 20;
    std::size_t most_clients = 8;
    std::size_t most_connections = 64;
    std::size_t most_waiting_bytes = 64 << 20; ///< of texts for one client, then it is dropped
    std::size_t most_waiting_texts = 4096;
    int header_seconds = 5; ///< for a whole request
    int idle_seconds = 30;  ///< half of it without a sign of life: a ping; all of it: dropped
};

/// What happens, told on the server's thread: to be answered quickly.
struct ServerEvents {
    std::function<void(ClientId)> connected;
    /// False: no room for it now. It is offered again soon, and nothing more is read meanwhile.
    std::function<bool(ClientId, const std::string&)> received;
    std::function<void(ClientId)> disconnected;
    /// The token was used: at this port the next browser needs another one.
    std::function<void(int, const std::string&)> token_changed = {};
};

/// Of texts that say how things are now, only the newest waits.
enum class TextKind { all_count, status, inspect, scene, script, problems };

class Server {
public:
    /// Problems when the address cannot be had.
    static Result<std::unique_ptr<Server>> start(const ServerOptions& options, ServerEvents events);
    /// Says goodbye to everyone, for a moment at most.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const noexcept;
    /// The first page brings this token in its address.
    const std::string& first_token() const noexcept;
    std::size_t client_count() const noexcept;
    std::uint64_t visit_count() const noexcept; ///< of all clients that ever came

    // From any thread; a client that has gone gets nothing.
    void send_text(ClientId client, Bytes text, TextKind kind = TextKind::all_count);
    /// The newest wins: a frame that still waits is replaced.
    void send_frame(ClientId client, Bytes frame);

    struct Parts; // of server.cpp

private:
    explicit Server(std::unique_ptr<Parts> parts) noexcept;
    std::unique_ptr<Parts> parts_;
};

} // namespace sinew::viewer
