#pragma once

// The simulation behind the page: a thread that owns the session. It changes the script as pages
// say, computes ahead while nothing else is to be done, reads and writes files, and shows the
// result on a board, where the player finds it without waiting.

#include "board.h"
#include "queue.h"
#include "workplace.h"

#include "sinew/session.h"

#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace sinew::viewer {

struct PlayerOptions {
    std::filesystem::path file; ///< a script or a recording
    std::map<std::string, std::string> parameters = {};
    SessionOptions session = {};
};

/// Said where a scene is needed and there is none.
extern const Notice kNoScene;

class Simulator {
public:
    Simulator(PlayerOptions options, Board& board);
    ~Simulator() { stop(); }
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    /// The server must outlive the simulator's thread: until `stop`.
    void start(Server& server);
    /// Asks the thread to end; it does so within a moment.
    void request_stop();
    /// Breaks off a frame that takes long while something else waits to be done; to be called
    /// often. It is gone on with afterwards, where it is still wanted.
    void hurry();
    bool has_ended() const { return has_ended_; }
    void stop();

    /// False when there is no room for it now.
    bool push(Command command) { return queue_.push(std::move(command)); }
    void wake() { queue_.wake(); }

private:
    using Clock = std::chrono::steady_clock;

    /// The hand that holds something now.
    struct Hold {
        ClientId client = 0;
        std::uint64_t number = 0;
        ObjectId object = {};
        Vec3 target = {};
        Vec3 point = {};            ///< of the object, where it is held
        Clock::time_point due = {}; ///< of the next frame
    };
    struct RecordWish {
        ClientId client = 0;
        std::string name;
    };

    // simulator.cpp: the loop
    void run();
    bool has_work() const;
    Clock::time_point next_deadline() const;
    bool advance();
    void update_layout();
    void put_shot(std::int64_t number, const std::shared_ptr<const Shot>& shot);
    void compute(Clock::time_point now);
    void set_draft_again();
    void advance_held(Clock::time_point now);
    void serve_wishes();
    std::uint32_t revision() const;

    // simulator_shows.cpp: what the board says
    void show();
    void update_picture();
    void update_rows();
    void update_script();
    void update_problems();
    Problems all_problems() const;
    void say(const std::string& text);
    void tell(ClientId client, std::string text, TextKind kind = TextKind::all_count);
    void tell(ClientId client, const Problems& problems);

    // simulator_obeys.cpp: what pages want
    void obey(const Command& command);
    void obey(const Command& command, const Message& message);
    void edit(const Command& command, const Message& message);
    Problems do_by_hand(std::int64_t shown, const Message& wish);
    void catch_up(std::int64_t frame);
    void drop_client(ClientId client);
    void grab(const Command& command, const message::Grab& grab);
    void release();
    void change(ClientId client, const Problems& problems);
    void set_parameter(const Command& command, const message::Parameter& parameter);

    // simulator_files.cpp: scripts and recordings on disk
    void open();
    void open_recording();
    void open_script(std::string text);
    void open_other(ClientId client, const message::Open& wish);
    void open_new();
    void begin_other(const std::string& name, bool is_on_disk);
    Problems write_parts() const;
    void set_text(const std::string& text);
    void reopen();
    void watch(Clock::time_point now);
    void reload();
    void save(ClientId client, const std::optional<std::string>& wanted);
    void plan_recording(ClientId client, const std::optional<std::string>& wanted);
    void write_recording();
    std::string current_text() const;
    struct Part {
        std::filesystem::path path;
        std::shared_ptr<const std::string> text;
    };
    void stamp_known_parts();
    void stamp_new_parts();
    std::vector<Part> parts() const;
    bool have_parts_changed() const;

    PlayerOptions options_;
    Board& board_;
    Workplace workplace_;
    CommandQueue queue_;
    Server* server_ = nullptr;
    std::thread thread_;
    std::atomic<bool> has_ended_ = false;
    std::atomic<bool> is_ending_ = false;
    std::atomic<bool> is_broken_off_ = false; ///< what is computed now gives way to a command
    std::set<ClientId> clients_;

    std::uint32_t opening_ = 1;        ///< number of the script
    std::uint32_t revision_base_ = 0;  ///< what sessions before this one counted to
    std::optional<Session> session_;   ///< none as long as no script was sound
    std::optional<std::string> draft_; ///< what the editor has, when it is not sound
    std::string file_text_;            ///< the script as it is on disk
    std::map<std::filesystem::path, std::optional<FileStamp>> stamps_; ///< of what was read
    bool is_script_due_ = false, is_part_due_ = false; ///< changed on disk, not yet read
    bool is_draft_due_ = false;                        ///< reading it was broken off
    bool is_recording_ = false;
    bool is_on_disk_ = true;    ///< false: an example or a new script, until it is saved
    bool is_changed_ = false;   ///< the script differs from the file
    bool is_overtaken_ = false; ///< the file changed under unsaved work
    Problems problems_;         ///< of the script as the editor has it
    std::optional<RecordWish> record_wish_;
    std::set<std::string> recorded_; ///< recordings written here, which may be written again
    std::optional<Hold> hold_;
    std::uint64_t ended_hold_ = 0;
    std::uint64_t obeyed_ = 0; ///< number of the last command that was done
    double speed_ = 1;         ///< at which held time runs

    std::uint32_t layout_ = 0;                    ///< of frames on the board
    std::array<std::size_t, 4> frame_sizes_ = {}; ///< objects, points, nodes, segments of those
    std::uint32_t layout_revision_ = 0;           ///< when that was last looked at
    std::shared_ptr<const Picture> picture_;
    Bytes scene_text_;
    bool is_scene_wanted_ = false; ///< other values of parameters, the same elements
    bool are_texts_due_ = true;    ///< script or problems may have changed
    std::shared_ptr<const std::string> shown_script_ = std::make_shared<const std::string>();
    Bytes shown_problems_;
    ClientId typist_ = 0; ///< who typed the text that is due
    ClientId script_by_ = 0, problems_told_ = 0;
    std::vector<SeriesRow> rows_;
    std::uint32_t rows_revision_ = 0;
    double details_ms_ = 0;
    Clock::time_point watch_time_ = {};
};

} // namespace sinew::viewer
