#pragma once

// The board holds the results of the simulator. The player reads it at any time, never waiting for
// a step.

#include "encode.h"
#include "messages.h"
#include "server.h"

#include "sinew/display.h"
#include "sinew/session.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sinew::viewer {

/// The data of one revision of the scene.
struct Picture {
    std::uint32_t revision = 0;
    std::uint32_t layout = 0; ///< of its frames: those of another one do not fit
    Scene scene;
    std::vector<std::string> names; ///< of objects
    std::vector<Session::Handle> handles;
    Display display;
    Bounds bounds;
    std::optional<Camera> camera = {}; ///< of the first frame, in the world
};

/// What the simulator is busy with.
struct Activity {
    enum class Kind { none, opening, computing, writing };

    Kind kind = Kind::none;
    std::int64_t frame = 0; ///< that is computed
    std::chrono::steady_clock::time_point since = {};
};

/// Everything but frames, as the simulator last left it.
struct Sight {
    std::uint32_t opening = 0; ///< number of the script: another one after another was opened
    std::string name = {};     ///< of the script
    std::filesystem::path folder = {};
    bool is_recording = false, can_simulate = true;
    std::shared_ptr<const Picture> picture = {}; ///< null: there is no scene yet
    Bytes scene_text = {};
    std::shared_ptr<const std::string> script = std::make_shared<const std::string>();
    ClientId script_by = 0; ///< the page that typed this text
    Bytes problems_text = {};
    ClientId problems_told = 0; ///< the page that has been answered with these problems
    std::uint32_t revision = 0;
    Reel reel = {};
    ReadFile read_file = {}; ///< for what the script includes
    double start = 0;        ///< time of frame 0 [s]
    std::int64_t stale = 0, frame_count = 0;
    bool can_undo = false, can_redo = false, is_changed = false;
    bool is_broken = false; ///< the script has errors, and there is no scene of before
    std::string fault = {};
    double steps_ms = 0;
    double details_ms = 0;        ///< what forces and residuals cost
    std::uint64_t hold = 0;       ///< number of the grab that is in force
    std::uint64_t ended_hold = 0; ///< the newest grab that has ended
    std::uint64_t obeyed = 0;     ///< number of the last command that was done
};

/// What one page or several want to know about a frame beside its points.
struct DetailsWish {
    std::int64_t frame = -1;
    std::uint32_t revision = 0;

    bool operator==(const DetailsWish&) const = default;
};

class Board {
public:
    /// Called on the simulator's thread after every change.
    void on_change(std::function<void()> changed) { changed_ = std::move(changed); }

    std::shared_ptr<const Sight> sight() const;
    void set_sight(Sight sight);

    Activity activity() const;
    void set_activity(Activity activity);

    /// Null when it was never shown, does not fit the layout or has been forgotten: then it can be
    /// asked for.
    std::shared_ptr<const Shot> shot(std::int64_t frame, std::uint32_t layout) const;
    void set_shot(std::int64_t frame, const std::shared_ptr<const Shot>& shot);
    /// All frames from now on have another layout.
    void forget_shots(std::uint32_t layout);

    /// The frame that the player wants to show and has not; −1 when there is none.
    void ask_for_shot(std::int64_t frame);
    std::int64_t take_shot_wish();

    std::shared_ptr<const Session::Details> details(const DetailsWish& wish) const;
    void ask_for_details(const DetailsWish& wish);
    std::optional<DetailsWish> take_details_wish();
    void set_details(const DetailsWish& wish, Session::Details details);
    void forget_details();

    /// Numbers of frames for plots. Rows from `first` on replace what was there.
    void set_rows(std::size_t first, std::span<const SeriesRow> rows);
    std::vector<SeriesRow> rows(std::size_t first, std::size_t most) const;
    /// The first row that has changed since the last call; as many as there are where none has.
    std::size_t take_first_changed_row();

private:
    mutable std::mutex mutex_;
    std::function<void()> changed_;
    std::shared_ptr<const Sight> sight_ = std::make_shared<const Sight>();
    Activity activity_;
    std::vector<std::weak_ptr<const Shot>> shots_;
    std::uint32_t layout_ = 0;
    std::shared_ptr<const Shot> newest_;
    std::int64_t shot_wish_ = -1;
    std::optional<DetailsWish> details_wish_;
    DetailsWish details_of_;
    std::shared_ptr<const Session::Details> details_;
    std::vector<SeriesRow> rows_;
    std::size_t first_changed_row_ = 0;
};

} // namespace sinew::viewer
