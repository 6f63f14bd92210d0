#pragma once

// Who may come in: decided from a request's headers alone, before anything is served. Pages of
// other sites can make a browser send requests here, and names can be made to point here, so Host,
// Origin and a cookie must all be right.

#include <string>
#include <string_view>
#include <vector>

namespace sinew::viewer {

/// What a request says about where it comes from and what it wants.
struct Request {
    std::string_view method, target; ///< the target as sent, with its query
    std::vector<std::string_view> hosts, origins, cookies, authorizations,
        protocols; ///< every header of the name
    bool has_body = false;
    bool is_websocket = false;
};

/// What a browser gets for the token, to come in with. Cookies go to every port of an address: who
/// serves at another one may read the secret. The pass goes behind the # of an address, which is
/// sent nowhere, and is kept by the page's origin, which has a port; a WebSocket needs both.
struct KeyPair {
    std::string secret; ///< the cookie's value
    std::string pass;
};

/// Keys open the gate. The token stands in the address that a person opens, and works once: the
/// browser that brings it gets a session of its own, and the next token is another one. Who reads
/// the address later has nothing.
class Keys {
public:
    /// Empty tokens, which open nothing, where the system has no random numbers.
    Keys() : token_(make_token()) {}

    const std::string& token() const { return token_; }
    /// A new session for who brings the token, and another token from now on; an empty one for
    /// others.
    KeyPair exchange(std::string_view token);
    /// Null for secrets of none.
    const KeyPair* find(std::string_view secret) const;

private:
    static std::string make_token();

    std::string token_;
    std::vector<KeyPair> sessions_;
};

/// What is asked of requests to one address.
struct Gate {
    std::vector<std::string> hosts; ///< what Host may say
    std::string cookie;             ///< the name of the cookie that carries a session's secret
};

/// An address and a port as browsers write them, without the port where it is the usual one.
std::string host_text(const std::string& address, int port);

/// An address of this machine that no other server is likely to have: cookies do not know ports,
/// and a browser would send ours to every server at 127.0.0.1. Empty without random numbers.
std::string make_loopback_address();

/// The gate of connections that arrive at an address: by it, and by localhost where it means that.
Gate make_gate(const std::string& address, int port);

struct Verdict {
    int status = 200;      ///< 200: come in; 303: go to /
    std::string text = {}; ///< what a person should know, else empty
    KeyPair session = {};  ///< that begins here, else empty
};
/// Takes the token where the request brings it.
Verdict judge(const Gate& gate, Keys& keys, const Request& request);

/// Whether a WebSocket's request offers to speak a protocol of this name.
bool offers(const Request& request, std::string_view protocol);

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
