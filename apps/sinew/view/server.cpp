// HTTP and WebSocket by Boost.Beast, in this file and no other. Everything runs on one thread, so
// nothing is locked; calls from other threads are posted to it.

#include "server.h"

#include "gate.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <thread>

namespace sinew::viewer {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using std::chrono::milliseconds;
using std::chrono::seconds;
using HttpRequest = http::request<http::empty_body>;

constexpr int kSendBufferBytes = 512 * 1024; // what waits in the kernel is old when it arrives
constexpr auto kRetryTime = milliseconds(5);
constexpr auto kLingerTime = seconds(1);
constexpr auto kResponseTime = seconds(30);
constexpr auto kGoodbyeTime = milliseconds(400);
constexpr std::string_view kNonceMark = "__NONCE__";
constexpr char kProtocol[] = "sinew"; // pages offer it beside their pass, and get it as the answer

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

std::vector<std::string_view> all_of(const HttpRequest& request, http::field name)
{
    std::vector<std::string_view> values;
    const auto range = request.equal_range(name);
    for (auto it = range.first; it != range.second; ++it)
        values.push_back(view_of(it->value()));
    return values;
}

Request describe(const HttpRequest& request)
{
    const std::vector<std::string_view> lengths = all_of(request, http::field::content_length);
    const bool has_length = lengths.size() > 1 || (lengths.size() == 1 && lengths[0] != "0");
    return {.method = view_of(request.method_string()),
            .target = view_of(request.target()),
            .hosts = all_of(request, http::field::host),
            .origins = all_of(request, http::field::origin),
            .cookies = all_of(request, http::field::cookie),
            .authorizations = all_of(request, http::field::authorization),
            .protocols = all_of(request, http::field::sec_websocket_protocol),
            .has_body = has_length || request.count(http::field::transfer_encoding) > 0,
            .is_websocket = websocket::is_upgrade(request)};
}

} // namespace

class Client;

struct Server::Parts {
    Parts(const ServerOptions& wanted, ServerEvents wanted_events)
        : options(wanted), events(std::move(wanted_events))
    {
    }

    ServerOptions options;
    ServerEvents events;
    Keys keys; ///< of the server's thread alone
    std::string first_token = keys.token();
    /// A connection that may not have shown a key.
    struct Stranger {
        std::weak_ptr<void> connection;
        std::function<bool()> let_go; ///< false: it has shown one, and stays
    };
    std::deque<Stranger> strangers;   ///< the oldest first
    std::size_t connection_count = 0; // before the context, which takes the last connections along
    asio::io_context context{1};
    tcp::acceptor acceptor{context};
    asio::steady_timer goodbye{context};
    std::map<ClientId, std::shared_ptr<Client>> clients;
    std::atomic<std::size_t> client_count = 0;
    std::atomic<ClientId> last_client = 0;
    std::uint16_t port = 0;
    bool is_stopping = false;
    std::thread thread;

    void accept();
    bool make_room();
    void stop();
    void remove(ClientId client);
};

/// One WebSocket.
class Client : public std::enable_shared_from_this<Client> {
public:
    Client(Server::Parts& server, ClientId id, tcp::socket socket)
        : server_(server), id_(id), socket_(std::move(socket)), retry_(server.context)
    {
    }

    void accept(HttpRequest request)
    {
        beast::get_lowest_layer(socket_).expires_never();
        socket_.set_option(websocket::stream_base::timeout{
            seconds(server_.options.header_seconds), seconds(server_.options.idle_seconds), true});
        socket_.read_message_max(server_.options.most_message_bytes);
        socket_.auto_fragment(false);
        if (offers(describe(request), kProtocol))
            socket_.set_option(
                websocket::stream_base::decorator([](websocket::response_type& response) {
                    response.set(http::field::sec_websocket_protocol, kProtocol);
                }));
        request_ = std::move(request);
        socket_.async_accept(request_, [self = shared_from_this()](beast::error_code fault) {
            self->accepted(fault);
        });
    }

    void send_text(Bytes text, TextKind kind)
    {
        if (kind != TextKind::all_count)
            for (Waiting& waiting : texts_)
                if (waiting.kind == kind) {
                    waiting_bytes_ += text->size() - waiting.text->size();
                    waiting.text = std::move(text);
                    return;
                }
        waiting_bytes_ += text->size();
        texts_.push_back({std::move(text), kind});
        if (waiting_bytes_ > server_.options.most_waiting_bytes ||
            texts_.size() > server_.options.most_waiting_texts)
            return drop();
        write();
    }

    void send_frame(Bytes frame)
    {
        frame_ = std::move(frame);
        write();
    }

    void close()
    {
        if (!is_open_)
            return drop();
        is_open_ = false;
        socket_.async_close(websocket::close_code::going_away,
                            [self = shared_from_this()](beast::error_code) { self->drop(); });
    }

private:
    struct Waiting {
        Bytes text;
        TextKind kind;
    };

    void accepted(beast::error_code fault)
    {
        if (fault)
            return drop();
        is_open_ = true;
        server_.events.connected(id_);
        is_announced_ = true;
        read();
        write();
    }

    void read()
    {
        socket_.async_read(buffer_,
                           [self = shared_from_this()](beast::error_code fault, std::size_t) {
                               self->received(fault);
                           });
    }

    void received(beast::error_code fault)
    {
        if (fault || is_dropped_)
            return drop();
        if (!socket_.got_text())
            return refuse();
        message_ = beast::buffers_to_string(buffer_.data());
        buffer_.clear();
        offer();
    }

    /// Pages send texts only.
    void refuse()
    {
        is_open_ = false;
        socket_.async_close(websocket::close_code::unknown_data,
                            [self = shared_from_this()](beast::error_code) { self->drop(); });
    }

    void offer()
    {
        if (is_dropped_)
            return;
        if (server_.events.received(id_, message_)) {
            message_.clear();
            message_.shrink_to_fit();
            return read();
        }
        retry_.expires_after(kRetryTime);
        retry_.async_wait([self = shared_from_this()](beast::error_code fault) {
            if (!fault)
                self->offer();
        });
    }

    /// Texts first: they say what the frames mean.
    void write()
    {
        if (is_writing_ || !is_open_ || (texts_.empty() && !frame_))
            return;
        is_writing_ = true;
        const bool is_text = !texts_.empty();
        if (is_text) {
            writing_ = std::move(texts_.front().text);
            texts_.pop_front();
            waiting_bytes_ -= writing_->size();
        } else {
            writing_ = std::move(frame_);
        }
        socket_.text(is_text);
        socket_.async_write(asio::buffer(*writing_),
                            [self = shared_from_this()](beast::error_code fault, std::size_t) {
                                self->is_writing_ = false;
                                if (fault)
                                    return self->drop();
                                self->write();
                            });
    }

    void drop()
    {
        if (std::exchange(is_dropped_, true))
            return;
        is_open_ = false;
        texts_.clear();
        waiting_bytes_ = 0;
        frame_.reset();
        retry_.cancel();
        beast::error_code ignored;
        beast::get_lowest_layer(socket_).socket().close(ignored);
        if (is_announced_)
            server_.events.disconnected(id_);
        server_.remove(id_);
    }

    Server::Parts& server_;
    ClientId id_;
    websocket::stream<beast::tcp_stream> socket_;
    asio::steady_timer retry_;
    HttpRequest request_;
    beast::flat_buffer buffer_;
    std::string message_; ///< received, not yet taken
    std::deque<Waiting> texts_;
    std::size_t waiting_bytes_ = 0;
    Bytes frame_, writing_;
    bool is_writing_ = false, is_open_ = false, is_announced_ = false, is_dropped_ = false;
};

namespace {

/// One connection until it closes or becomes a WebSocket.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(Server::Parts& server, tcp::socket socket)
        : server_(server), stream_(std::move(socket)), buffer_(2 * server.options.most_header_bytes)
    {
        ++server_.connection_count;
        beast::error_code fault;
        const tcp::endpoint here = stream_.socket().local_endpoint(fault);
        gate_ = make_gate(fault ? "" : here.address().to_string(), server_.port);
    }
    ~Connection() { --server_.connection_count; }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void read()
    {
        parser_.emplace();
        parser_->header_limit(static_cast<std::uint32_t>(server_.options.most_header_bytes));
        parser_->body_limit(0);
        // One time for the whole header: letters that trickle in do not prolong it.
        stream_.expires_after(seconds(server_.options.header_seconds));
        http::async_read_header(stream_, buffer_, *parser_,
                                [self = shared_from_this()](beast::error_code fault, std::size_t) {
                                    self->answer(fault);
                                });
    }

    /// False: it has shown a key.
    bool let_go()
    {
        if (!is_known_)
            close();
        return !is_known_;
    }

private:
    void answer(beast::error_code fault)
    {
        if (fault == http::error::header_limit || fault == http::error::buffer_overflow)
            return refuse({431, "The headers are too long."});
        if (fault == http::error::body_limit)
            return refuse({413, "Requests have no body here."});
        if (fault &&
            fault.category() == http::make_error_code(http::error::bad_method).category() &&
            fault != http::error::end_of_stream && fault != http::error::partial_message)
            return refuse({400, "This is not HTTP."});
        if (fault || server_.is_stopping)
            return close();
        const Request request = describe(parser_->get());
        const Verdict verdict = judge(gate_, server_.keys, request);
        is_known_ = is_known_ || verdict.status == 200 || verdict.status == 303;
        if (!verdict.session.secret.empty() && server_.events.token_changed)
            server_.events.token_changed(server_.port, server_.keys.token());
        if (verdict.status == 303)
            return welcome(verdict.session);
        if (verdict.status != 200)
            return refuse(verdict);
        if (path_of(request.target) == "/ws")
            return upgrade(request);
        serve(path_of(request.target));
    }

    void upgrade(const Request& request)
    {
        if (!request.is_websocket)
            return refuse({426, "This address is for a WebSocket."});
        if (server_.clients.size() >= server_.options.most_clients)
            return refuse({503, "So many pages are open already. Close one and try again."});
        const ClientId id = ++server_.last_client;
        const auto client = std::make_shared<Client>(server_, id, stream_.release_socket());
        server_.clients[id] = client;
        server_.client_count = server_.clients.size();
        client->accept(parser_->release());
    }

    http::response<http::string_body> make_response(int status, std::string_view type)
    {
        http::response<http::string_body> response{http::int_to_status(unsigned(status)), 11};
        response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
        response.set("X-Content-Type-Options", "nosniff");
        response.set("Referrer-Policy", "no-referrer");
        response.set("Cross-Origin-Opener-Policy", "same-origin");
        response.set("Cross-Origin-Resource-Policy", "same-origin");
        response.set(http::field::cache_control, "no-store");
        return response;
    }

    /// The token becomes a cookie and a pass, and leaves the address. Who has a session already
    /// keeps it.
    void welcome(const KeyPair& session)
    {
        auto response = make_response(303, "text/plain; charset=utf-8");
        response.set(http::field::location, session.pass.empty() ? "/" : "/#pass=" + session.pass);
        if (!session.secret.empty())
            response.set(http::field::set_cookie, gate_.cookie + "=" + session.secret +
                                                      "; HttpOnly; SameSite=Strict; Path=/");
        response.set("Content-Security-Policy", content_policy(make_secret(16)));
        send(std::move(response), parser_->get().keep_alive());
    }

    void refuse(const Verdict& verdict)
    {
        auto response = make_response(verdict.status, "text/plain; charset=utf-8");
        response.set("Content-Security-Policy", content_policy(make_secret(16)));
        if (verdict.status == 405)
            response.set(http::field::allow, "GET, HEAD");
        if (verdict.status == 401)
            response.set(http::field::www_authenticate, "Bearer");
        if (verdict.status == 426)
            response.set(http::field::upgrade, "websocket");
        response.body() = verdict.text + "\n";
        send(std::move(response), false);
    }

    void serve(std::string_view path)
    {
        const std::string wanted(path == "/" ? "/index.html" : path);
        const auto& assets = server_.options.assets;
        const auto found = std::find_if(assets.begin(), assets.end(),
                                        [&](const Asset& asset) { return asset.path == wanted; });
        if (found == assets.end())
            return refuse({404, "There is nothing here."});
        auto response = make_response(200, media_type(wanted));
        const std::string nonce = make_secret(16);
        response.set("Content-Security-Policy", content_policy(nonce));
        const auto packed = std::find_if(assets.begin(), assets.end(), [&](const Asset& asset) {
            return asset.path.ends_with(".gz") &&
                   asset.path.substr(0, asset.path.size() - 3) == wanted;
        });
        const bool is_packed = packed != assets.end() && takes_gzip();
        response.body() = is_packed ? packed->data : found->data;
        if (packed != assets.end())
            response.set(http::field::vary, "Accept-Encoding");
        if (is_packed)
            response.set(http::field::content_encoding, "gzip");
        if (wanted == "/index.html")
            for (std::size_t at; (at = response.body().find(kNonceMark)) != std::string::npos;)
                response.body().replace(at, kNonceMark.size(), nonce);
        else // their names change with their contents
            response.set(http::field::cache_control, "private, max-age=3600");
        send(std::move(response), parser_->get().keep_alive());
    }

    /// Whether the other side unpacks what is packed; one that says how much it likes it does not
    /// count.
    bool takes_gzip() const
    {
        const std::string_view accepted = view_of(parser_->get()[http::field::accept_encoding]);
        const std::size_t at = accepted.find("gzip");
        return at != accepted.npos && accepted.substr(at, 6) != "gzip;q";
    }

    void send(http::response<http::string_body> response, bool keep_alive)
    {
        response.keep_alive(keep_alive);
        response.content_length(response.body().size());
        if (parser_->get().method() == http::verb::head)
            response.body().clear();
        stream_.expires_after(kResponseTime);
        const auto kept = std::make_shared<http::response<http::string_body>>(std::move(response));
        http::async_write(
            stream_, *kept,
            [self = shared_from_this(), kept, keep_alive](beast::error_code fault, std::size_t) {
                if (fault)
                    return self->close();
                return keep_alive ? self->read() : self->linger();
            });
    }

    /// Closing with unread bytes would take the answer back from the other side.
    void linger()
    {
        beast::error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        stream_.expires_after(kLingerTime);
        discard(1 << 20);
    }

    void discard(std::size_t left)
    {
        stream_.async_read_some(
            asio::buffer(scratch_),
            [self = shared_from_this(), left](beast::error_code fault, std::size_t count) {
                if (fault || count >= left)
                    return self->close();
                self->discard(left - count);
            });
    }

    void close()
    {
        beast::error_code ignored;
        stream_.socket().close(ignored);
    }

    Server::Parts& server_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::empty_body>> parser_;
    std::array<char, 4096> scratch_;
    Gate gate_;
    bool is_known_ = false;
};

} // namespace

/// Who has shown no key does not keep out who has: the oldest of them goes.
bool Server::Parts::make_room()
{
    std::erase_if(strangers,
                  [](const Stranger& stranger) { return stranger.connection.expired(); });
    bool has_room = connection_count < options.most_connections;
    while (!has_room && !strangers.empty()) {
        has_room = strangers.front().let_go();
        strangers.pop_front();
    }
    return has_room;
}

void Server::Parts::accept()
{
    acceptor.async_accept([this](beast::error_code fault, tcp::socket socket) {
        if (fault == asio::error::operation_aborted || is_stopping)
            return;
        if (!fault && make_room()) {
            beast::error_code ignored;
            socket.set_option(tcp::no_delay(true), ignored);
            socket.set_option(asio::socket_base::send_buffer_size(kSendBufferBytes), ignored);
            const auto made = std::make_shared<Connection>(*this, std::move(socket));
            strangers.push_back({made, [weak = std::weak_ptr(made)] {
                                     const auto connection = weak.lock();
                                     return connection && connection->let_go();
                                 }});
            made->read();
        }
        accept();
    });
}

void Server::Parts::remove(ClientId client)
{
    clients.erase(client);
    client_count = clients.size();
    if (is_stopping && clients.empty())
        context.stop();
}

void Server::Parts::stop()
{
    is_stopping = true;
    beast::error_code ignored;
    acceptor.close(ignored);
    if (clients.empty())
        return context.stop();
    const auto all = clients; // closing changes the list
    for (const auto& [id, client] : all)
        client->close();
    goodbye.expires_after(kGoodbyeTime);
    goodbye.async_wait([this](beast::error_code) { context.stop(); });
}

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, ServerEvents events)
{
    const auto problem = [&](const std::string& what, const std::string& hint) {
        return Problem{.code = "cannot-listen",
                       .place = {.file = host_text(options.address, options.port)},
                       .what = what,
                       .hint = hint};
    };
    beast::error_code fault;
    const asio::ip::address address = asio::ip::make_address(options.address, fault);
    if (fault)
        return problem("is not an IP address", "write one of this machine, as 192.168.1.5");
    auto parts = std::make_unique<Parts>(options, std::move(events));
    tcp::acceptor& acceptor = parts->acceptor;
    const tcp::endpoint endpoint(address, options.port);
    acceptor.open(endpoint.protocol(), fault);
    if (!fault)
        acceptor.set_option(asio::socket_base::reuse_address(true), fault);
    if (!fault)
        acceptor.bind(endpoint, fault);
    if (!fault)
        acceptor.listen(asio::socket_base::max_listen_connections, fault);
    if (fault)
        return problem("cannot be listened at: " + fault.message(),
                       "choose another --port, or none for any that is free");
    parts->port = acceptor.local_endpoint().port();
    parts->accept();
    parts->thread = std::thread([context = &parts->context] { context->run(); });
    return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::Server(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}

Server::~Server()
{
    asio::post(parts_->context, [parts = parts_.get()] { parts->stop(); });
    parts_->thread.join();
}

std::uint16_t Server::port() const noexcept { return parts_->port; }

const std::string& Server::first_token() const noexcept { return parts_->first_token; }

std::size_t Server::client_count() const noexcept { return parts_->client_count; }

std::uint64_t Server::visit_count() const noexcept { return parts_->last_client; }

void Server::send_text(ClientId client, Bytes text, TextKind kind)
{
    asio::post(parts_->context, [parts = parts_.get(), client, text = std::move(text), kind] {
        if (const auto found = parts->clients.find(client); found != parts->clients.end())
            found->second->send_text(text, kind);
    });
}

void Server::send_frame(ClientId client, Bytes frame)
{
    asio::post(parts_->context, [parts = parts_.get(), client, frame = std::move(frame)] {
        if (const auto found = parts->clients.find(client); found != parts->clients.end())
            found->second->send_frame(frame);
    });
}

} // namespace sinew::viewer
