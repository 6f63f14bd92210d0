#pragma once

// What pages see and when: a thread that plays, greets pages, and passes on what the simulator has
// made. It never computes, so that every page is answered at once.

#include "assistant.h"
#include "board.h"
#include "queue.h"
#include "server.h"
#include "simulator.h"
#include "transport.h"

#include "sinew/display.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sinew::viewer {

class Player {
public:
    explicit Player(PlayerOptions options);
    ~Player() { stop(); }
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    /// For the server: all it does is to put commands into the queue.
    ServerEvents events();

    /// The server must outlive the player's threads: until `stop`.
    void start(Server& server);
    void stop();

    /// The same, but gives up on a step that takes longer. False: then only the end of the process
    /// stops the simulator.
    bool stop_within(std::chrono::milliseconds patience);

private:
    using Clock = std::chrono::steady_clock;

    /// A quantity that a page plots.
    struct Watched {
        message::Watch::Quantity what;
        std::size_t sent = 0; ///< rows
    };
    /// One page.
    struct Viewer {
        message::Show show = {};
        ObjectId selected = {};
        std::size_t rows_sent = 0; ///< of the series
        std::vector<Watched> watched = {};
        bool is_new = true; ///< has nothing yet
        Clock::time_point came = {};
    };

    // player.cpp: the loop, and what comes in
    void run();
    Clock::time_point next_deadline() const;
    void look();
    void follow_hold();
    std::int64_t shown_frame() const;
    bool has_picture() const; ///< of the scene as it is now
    void obey(const Command& command);
    void obey(ClientId client, const Message& message);
    bool obey_here(ClientId client, const Message& message);
    void forward(ClientId client, const Message& message);
    void end_hold();
    bool pass_on(Command command);
    void list(ClientId client);

    // player_says.cpp: what goes out
    void publish(Clock::time_point now);
    void greet(ClientId client, Viewer& viewer);
    void publish_scene();
    void publish_frame(Clock::time_point now);
    message::Show wanted_details() const;
    void send_frame(std::int64_t frame, const Shot& shot, bool is_stale, const message::Show& show,
                    const Session::Details* details);
    void publish_status(Clock::time_point now);
    void publish_series(Clock::time_point now);
    void watch(Viewer& viewer, const message::Watch& wish);
    void send_watched(ClientId client, Watched& watched);
    void publish_texts();
    StatusText status() const;
    void say(const Bytes& text, TextKind kind, ClientId except = 0);
    void tell(ClientId client, std::string text, TextKind kind = TextKind::all_count);

    Board board_;
    Simulator simulator_;
    Assistant assistant_;
    CommandQueue queue_;
    Server* server_ = nullptr;
    std::thread thread_;

    std::shared_ptr<const Sight> sight_ = std::make_shared<const Sight>();
    Transport transport_;
    std::map<ClientId, Viewer> viewers_;
    std::uint32_t visits_ = 0;    ///< of pages, since the script was opened
    ClientId holder_ = 0;         ///< the page whose hand holds something
    std::uint64_t passed_on_ = 0; ///< number of the last command for the simulator
    std::uint64_t hold_ = 0;      ///< number of the last grab
    DisplayFrame placed_;

    // What was said last.
    std::uint32_t said_opening_ = 1;
    Bytes said_scene_, said_problems_;
    std::shared_ptr<const std::string> said_script_;
    std::shared_ptr<const Shot> sent_shot_;
    std::int64_t sent_frame_ = -1;
    bool sent_stale_ = false, sent_details_ = false;
    message::Show sent_show_;
    Bytes frame_;
    StatusText said_status_;
    bool is_status_wanted_ = false;
    Clock::time_point status_time_ = {}, series_time_ = {};
    std::optional<Clock::time_point> details_since_; ///< when forces of the shown frame were wanted
};

/// What the inspector tells about an object in a frame; `before` is the frame before it or null.
Inspection inspect(const Picture& picture, ObjectId object, const Shot& now, const Shot* before);

/// What a page plots, in one frame; none where there is no such thing. Of an object x, y, z of its
/// origin or of the tip of a strand or rod [m], and its speed since the frame before [m/s], where
/// there is one; of a probe its three numbers; of a load force [N] and torque [N m].
std::vector<double> watched_numbers(const Picture& picture, const message::Watch::Quantity& what,
                                    const Frame& now, const Frame* before);

} // namespace sinew::viewer
