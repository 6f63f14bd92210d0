#pragma once

// Serving a script or a recording until the person has had enough.

#include "player.h"

#include "sinew/error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sinew::viewer {

/// Where to listen.
struct Address {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0; ///< 0: any that is free

    bool is_loopback() const { return address == "::1" || address.starts_with("127."); }
};

/// Of ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT; nothing when it is none of them.
std::optional<Address> parse_address(const std::string& text);

struct ServeOptions {
    Address address;
    bool has_address = false; ///< a person has chosen it; else it is one of this server alone
    bool open_browser = true;
    bool exit_when_closed = false;
};

/// Prints the address, opens a browser where there is a desktop, and serves until a signal, or
/// until the last page is closed. Gives the exit status.
int serve(PlayerOptions player, const ServeOptions& options);

} // namespace sinew::viewer
