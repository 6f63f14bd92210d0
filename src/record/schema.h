#pragma once

// The tables of a recording. docs/guide/recording.md explains them to people.

#include "record/block.h"
#include "record/database.h"
#include "sinew/record.h"

#include <optional>
#include <string_view>

namespace sinew::record {

constexpr std::int64_t kApplication = 0x53696e77; // "Sinw", in the header of the file
constexpr std::int64_t kSchemaVersion = 7;
/// Still read, no longer written: what each format brought; 5 brought rounded frames, 6 errors of
/// laws and who met whom, 7 what rods carry.
constexpr std::int64_t kFirstFormat = 2, kWithStrands = 3, kWithConstraints = 4, kRounded = 5,
                       kWithContacts = 6, kWithSections = 7;

/// How the kinds of inputs are written, as Input::Kind.
constexpr std::string_view kInputKinds[] = {"grab", "release", "parameter"};

/// How the kinds of contact events are written: pushed, and only sensed.
constexpr std::string_view kEventKinds[] = {"hit", "sensed"};

/// The tables of an empty recording, filled with what is known before the first frame.
Problems write_schema(const Database& database, const Scene& scene, const RecordingInfo& info);

/// Whether the file is a recording that this version understands.
Problems check_schema(const Database& database, const std::string& name);

/// The number of its format. Requires that check_schema found nothing.
std::int64_t version_of(const Database& database);

/// What the file says about itself, every number checked.
Result<RecordingInfo> read_info(const Database& database, const std::string& name);

/// How large its frames are, bounded by what is possible.
Result<FrameLayout> read_layout(const Database& database, const std::string& name);

/// Of the scene in the frames.
FrameLayout layout_of(const Scene& scene);

/// What a layout has, in words.
std::string describe(const FrameLayout& layout);

/// What has a checksum of its own: all that is written before the first frame, and all beside
/// frames and snapshots that comes later.
enum class Checked { before, while_running };
constexpr std::string_view kChecksums[] = {"checksum", "checksum_of_run"}; ///< keys of meta

std::optional<std::string> checksum_of(const Database& database, Checked part);
bool set_checksum(const Database& database, Checked part);

/// A problem where the file has a checksum and it is another.
Problems verify_checksum(const Database& database, const std::string& name, Checked part);

/// Sixteen hexadecimal digits: SQLite has no whole numbers without sign.
std::string hash_text(std::uint64_t hash);
std::uint64_t hash_of(const std::string& text);

bool set_meta(const Database& database, std::string_view key, std::string_view value);
bool set_meta(const Database& database, std::string_view key, double value);

/// Adds a problem of a frame to the diagnostics.
bool add_diagnostic(const Database& database, std::int64_t frame, const Problem& problem);

/// The diagnostics of frames `first` to `last`, in their order.
Result<std::vector<Diagnostic>> read_diagnostics(const Database& database, std::int64_t first,
                                                 std::int64_t last);

} // namespace sinew::record
