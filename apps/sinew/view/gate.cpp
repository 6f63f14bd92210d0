#include "gate.h"

#include <algorithm>
#include <sys/random.h>

namespace sinew::viewer {

namespace {

constexpr std::string_view kTokenQuery = "/?token=";
constexpr std::string_view kBearer = "Bearer ";

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

bool has_token(const Gate& gate, const Request& request)
{
    for (const std::string_view header : request.cookies)
        if (is_equal_secret(cookie_value(header, gate.cookie), gate.token))
            return true;
    for (const std::string_view header : request.authorizations)
        if (header.substr(0, kBearer.size()) == kBearer &&
            is_equal_secret(header.substr(kBearer.size()), gate.token))
            return true;
    return false;
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

Gate make_gate(const std::string& address, int port, const std::string& token)
{
    Gate gate{.hosts = {host_text(address, port)},
              .token = token,
              .cookie = "sinew_" + std::to_string(port)};
    if (address == "::1" || address.starts_with("127."))
        gate.hosts.push_back(host_text("localhost", port));
    return gate;
}

Verdict judge(const Gate& gate, const Request& request)
{
    if (!request.target.starts_with('/'))
        return {400, "This is no address of a page."};
    if (!is_allowed_host(gate, request))
        return {421, "This server answers to " + gate.hosts[0] +
                         " only. Open the address that `sinew view` printed."};
    if (!is_allowed_origin(request))
        return {403, "Only the viewer's own page may ask this."};
    if (request.method != "GET" && request.method != "HEAD")
        return {405, "Only GET and HEAD are understood here."};
    if (request.has_body)
        return {413, "Requests have no body here."};
    if (path_of(request.target) == "/" && request.target.starts_with(kTokenQuery) &&
        is_equal_secret(request.target.substr(kTokenQuery.size()), gate.token))
        return {303};
    if (!has_token(gate, request))
        return {401, "The token is missing or wrong. Open the whole address that `sinew view` "
                     "printed, with what follows the question mark."};
    return {};
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
