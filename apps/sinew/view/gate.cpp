#include "gate.h"

#include <algorithm>
#include <sys/random.h>

namespace sinew::viewer {

namespace {

constexpr std::string_view kTokenQuery = "/?token=";
constexpr std::string_view kBearer = "Bearer ";
constexpr std::size_t kSecretBytes = 24;
constexpr std::size_t kMostSessions = 64;

/// The value of a cookie among `a=1; b=2`.
std::string_view cookie_value(std::string_view header, std::string_view name)
{
    while (!header.empty()) {
        const std::size_t end = std::min(header.find(';'), header.size());
        std::string_view pair = header.substr(0, end);
        header.remove_prefix(std::min(end + 1, header.size()));
        pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
        const std::size_t sign = pair.find('=');
        if (sign != pair.npos && pair.substr(0, sign) == name)
            return pair.substr(sign + 1);
    }
    return {};
}

/// A WebSocket needs the pass besides the secret: browsers send the secret by themselves, to a
/// stranger at another port too, who may then send it in any header.
bool has_session(const Gate& gate, const Keys& keys, const Request& request)
{
    const auto opens = [&](std::string_view secret) {
        const KeyPair* session = keys.find(secret);
        return session != nullptr && (!request.is_websocket || offers(request, session->pass));
    };
    return std::ranges::any_of(
               request.cookies,
               [&](std::string_view header) { return opens(cookie_value(header, gate.cookie)); }) ||
           std::ranges::any_of(request.authorizations, [&](std::string_view header) {
               return header.starts_with(kBearer) && opens(header.substr(kBearer.size()));
           });
}

/// The token in the address, or nothing.
std::string_view token_of(const Request& request)
{
    return request.target.starts_with(kTokenQuery) ? request.target.substr(kTokenQuery.size())
                                                   : std::string_view{};
}

bool is_allowed_host(const Gate& gate, const Request& request)
{
    return request.hosts.size() == 1 &&
           std::find(gate.hosts.begin(), gate.hosts.end(), request.hosts[0]) != gate.hosts.end();
}

/// The page's own origin, or none where a browser sends none: but it always does for a WebSocket.
bool is_allowed_origin(const Request& request)
{
    if (request.origins.empty())
        return !request.is_websocket;
    return request.origins.size() == 1 &&
           request.origins[0] == "http://" + std::string(request.hosts[0]);
}

} // namespace

std::string host_text(const std::string& address, int port)
{
    const std::string name = address.find(':') != address.npos ? "[" + address + "]" : address;
    return port == 80 ? name : name + ":" + std::to_string(port);
}

std::string Keys::make_token() { return make_secret(kSecretBytes); }

KeyPair Keys::exchange(std::string_view token)
{
    if (!is_equal_secret(token, token_))
        return {};
    token_ = make_token();
    if (sessions_.size() == kMostSessions)
        sessions_.erase(sessions_.begin());
    sessions_.push_back({make_secret(kSecretBytes), make_secret(kSecretBytes)});
    return sessions_.back();
}

const KeyPair* Keys::find(std::string_view secret) const
{
    const KeyPair* found = nullptr;
    for (const KeyPair& session : sessions_)
        if (is_equal_secret(secret, session.secret))
            found = &session;
    return found;
}

std::string make_loopback_address()
{
    unsigned char bytes[3];
    if (getrandom(bytes, sizeof bytes, 0) != ssize_t(sizeof bytes))
        return "";
    std::string text = "127"; // from 1 to 254 each: no network's own address, none of all
    for (const unsigned char byte : bytes)
        text += "." + std::to_string(1 + byte % 254);
    return text;
}

Gate make_gate(const std::string& address, int port)
{
    Gate gate{.hosts = {host_text(address, port)}, .cookie = "sinew_" + std::to_string(port)};
    if (address == "::1" || address == "127.0.0.1")
        gate.hosts.push_back(host_text("localhost", port));
    return gate;
}

Verdict judge(const Gate& gate, Keys& keys, const Request& request)
{
    if (!request.target.starts_with('/'))
        return {400, "There is no page at this address."};
    if (!is_allowed_host(gate, request))
        return {421, "This server answers to " + gate.hosts[0] +
                         " only. Open the address that `sinew view` printed."};
    if (!is_allowed_origin(request))
        return {403, "Only the viewer's own page may ask this."};
    if (request.method != "GET" && request.method != "HEAD")
        return {405, "Only GET and HEAD are understood here."};
    if (request.has_body)
        return {413, "Requests have no body here."};
    const std::string_view token = token_of(request);
    if (!token.empty() && request.method == "GET") // who only asks for the head keeps it
        if (KeyPair session = keys.exchange(token); !session.secret.empty())
            return {.status = 303, .session = std::move(session)};
    if (!has_session(gate, keys, request))
        return {401, "The token is missing, wrong or used already. Open the last address that "
                     "`sinew view` printed, with what follows the question mark: each works once."};
    return {token.empty() ? 200 : 303};
}

bool offers(const Request& request, std::string_view protocol)
{
    for (std::string_view list : request.protocols)
        while (!list.empty()) {
            const std::size_t end = std::min(list.find(','), list.size());
            std::string_view name = list.substr(0, end);
            list.remove_prefix(std::min(end + 1, list.size()));
            name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
            if (is_equal_secret(name.substr(0, name.find(' ')), protocol))
                return true;
        }
    return false;
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

bool is_equal_secret(std::string_view a, std::string_view b)
{
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < b.size(); ++i)
        difference |=
            static_cast<unsigned char>(i < a.size() ? a[i] : 0) ^ static_cast<unsigned char>(b[i]);
    return difference == 0 && !b.empty();
}

std::string make_secret(std::size_t bytes)
{
    std::string raw(bytes, '\0');
    if (getrandom(raw.data(), raw.size(), 0) != static_cast<ssize_t>(raw.size()))
        return "";
    std::string text;
    for (const char c : raw) {
        text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
        text += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
    }
    return text;
}

std::string content_policy(const std::string& nonce)
{
    return "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" + nonce +
           "'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' "
           "blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

} // namespace sinew::viewer
