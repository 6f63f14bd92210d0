#pragma once

// The simulation behind the page: a thread that owns the session, does what pages say in their
// order, computes ahead while nothing else is to be done, and says what there is to see.

#include "encode.h"
#include "queue.h"
#include "server.h"
#include "transport.h"
#include "workplace.h"

#include "sinew/display.h"
#include "sinew/session.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sinew::viewer {

struct PlayerOptions {
    std::filesystem::path file; ///< a script or a recording
    std::map<std::string, std::string> parameters = {};
    SessionOptions session = {};
};

class Player {
public:
    explicit Player(PlayerOptions options);
    ~Player() { stop(); }
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    /// For the server: all it does is to put commands into the queue.
    ServerEvents events();

    /// The server must outlive the player's thread: until `stop`.
    void start(Server& server);
    void stop();

private:
    using Clock = std::chrono::steady_clock;

    /// One page.
    struct Viewer {
        message::Show show = {};
        ObjectId selected = {};
        std::size_t rows_sent = 0; ///< of the series
        bool is_new = true;        ///< has nothing yet
    };
    /// The hand that holds something now.
    struct Hold {
        ClientId client = 0;
        ObjectId object = {};
        Vec3 target = {};
        Vec3 point = {};            ///< of the object, where it is held
        Clock::time_point due = {}; ///< of the next frame
    };
    struct RecordWish {
        ClientId client = 0;
        std::string name;
    };

    // player.cpp: the loop
    void run();
    bool has_work() const;
    Clock::time_point next_deadline() const;
    void compute(Clock::time_point now);
    void advance_held(Clock::time_point now);
    Reel reel() const;
    std::uint32_t revision() const;
    std::int64_t shown_frame() const;

    // player_says.cpp: what goes out
    void publish(Clock::time_point now);
    void greet(ClientId client, Viewer& viewer);
    void update_scene();
    void publish_frame();
    void send_frame(std::int64_t frame, const Shot& shot, bool is_stale, const message::Show& show);
    void publish_status(Clock::time_point now);
    void publish_series(Clock::time_point now);
    void publish_texts(ClientId typist = 0);
    void update_rows();
    StatusText status() const;
    Problems all_problems() const;
    Bytes scene_text() const;
    void say(std::string text, TextKind kind, ClientId except = 0);
    void tell(ClientId client, std::string text, TextKind kind = TextKind::all_count);
    void tell(ClientId client, const Problems& problems);

    // player_obeys.cpp: what comes in
    void obey(const Command& command);
    void obey(ClientId client, const Message& message);
    void edit(ClientId client, const Message& message);
    Problems do_by_hand(const Message& wish); ///< in the frame that is shown
    void catch_up(std::int64_t frame);
    void drop_client(ClientId client);
    void grab(ClientId client, const message::Grab& grab);
    void release();
    void change(ClientId client, const Problems& problems);
    void set_parameter(ClientId client, const message::Parameter& parameter);

    // player_files.cpp: scripts and recordings on disk
    void open();
    void open_recording();
    void set_text(const std::string& text);
    void reopen();
    void watch(Clock::time_point now);
    void reload();
    void save(ClientId client, const std::optional<std::string>& wanted);
    void plan_recording(ClientId client, const std::optional<std::string>& wanted);
    void write_recording();
    const std::string& current_text() const;
    std::string text_to_save() const;
    struct Part {
        std::filesystem::path path;
        std::shared_ptr<const std::string> text;
    };
    void stamp_known_parts();
    void stamp_new_parts();
    std::vector<Part> parts() const;
    bool have_parts_changed() const;

    PlayerOptions options_;
    Workplace workplace_;
    CommandQueue queue_;
    Server* server_ = nullptr;
    std::thread thread_;

    std::uint32_t revision_base_ = 0;  ///< what sessions before this one counted to
    std::optional<Session> session_;   ///< none as long as no script was sound
    std::optional<std::string> draft_; ///< what the editor has, when it is not sound
    std::string file_text_;            ///< the script as it is on disk
    std::map<std::filesystem::path, std::optional<FileStamp>> stamps_; ///< of what was read
    bool is_script_due_ = false, is_part_due_ = false; ///< changed on disk, not yet read
    bool is_recording_ = false;
    bool is_changed_ = false;   ///< the script differs from the file
    bool is_overtaken_ = false; ///< of a file that changed under unsaved work
    Problems problems_;         ///< of the script as the editor has it
    std::optional<RecordWish> record_wish_;

    Transport transport_;
    std::optional<Hold> hold_;
    std::map<ClientId, Viewer> viewers_;

    Display display_;
    DisplayFrame placed_;
    Bounds bounds_;
    std::uint32_t display_revision_ = 0;
    std::vector<SeriesRow> rows_;
    std::uint32_t rows_revision_ = 0;

    // What was said last.
    std::shared_ptr<const Shot> sent_shot_;
    std::int64_t sent_frame_ = -1;
    bool sent_stale_ = false, sent_details_ = false;
    message::Show sent_show_;
    Bytes frame_;
    StatusText said_status_;
    std::string said_text_, said_problems_;
    bool is_status_wanted_ = false, is_scene_wanted_ = false;
    double details_ms_ = 0; ///< what forces and residuals cost
    Clock::time_point status_time_ = {}, series_time_ = {}, watch_time_ = {};
};

/// What the inspector tells about an object in a frame.
Inspection inspect(Session& session, ObjectId object, std::int64_t frame);

} // namespace sinew::viewer
