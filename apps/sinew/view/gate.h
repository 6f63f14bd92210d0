#pragma once

// Who may come in: decided from a request's headers alone, before anything is served. Pages of
// other sites can make a browser send requests here, and names can be made to point here, so Host,
// Origin and a token must all be right.

#include <string>
#include <string_view>
#include <vector>

namespace sinew::viewer {

/// What a request says about where it comes from and what it wants.
struct Request {
    std::string_view method, target; ///< the target as sent, with its query
    std::vector<std::string_view> hosts, origins, cookies,
        authorizations; ///< every header of the name
    bool has_body = false;
    bool is_websocket = false;
};

/// What is asked of requests to one address.
struct Gate {
    std::vector<std::string> hosts; ///< what Host may say
    std::string token;
    std::string cookie; ///< the name of the cookie that carries the token
};

/// An address and a port as browsers write them, without the port where it is the usual one.
std::string host_text(const std::string& address, int port);

/// The gate of connections that arrive at an address: by it, and by localhost where it is of this
/// machine alone.
Gate make_gate(const std::string& address, int port, const std::string& token);

struct Verdict {
    int status = 200;      ///< 200: come in; 303: set the cookie and go to /
    std::string text = {}; ///< what a person should know, else empty
};
Verdict judge(const Gate& gate, const Request& request);

/// The target without its query.
std::string_view path_of(std::string_view target);

/// Takes as long for a wrong first letter as for a wrong last one.
bool is_equal_secret(std::string_view a, std::string_view b);

/// Letters and digits that nobody can guess, of so many random bytes; empty when the system has
/// none.
std::string make_secret(std::size_t bytes);

/// The policy of a page: nothing but our own files, styles also with the nonce.
std::string content_policy(const std::string& nonce);

} // namespace sinew::viewer
