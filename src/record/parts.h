#pragma once

#include "record/block.h"
#include "record/database.h"
#include "record/files.h"
#include "record/frame_coder.h"
#include "record/schema.h"
#include "sinew/record.h"

#include <set>
#include <string>

namespace sinew {

/// What a Recording is made of.
struct Recording::Parts {
    std::string path;
    std::string name; ///< as the caller gave it, for messages
    Recording::Access access;
    record::WriterLock lock; ///< let go of last
    record::Database database;
    RecordingInfo info = {};
    record::FrameLayout layout = {};
    record::FrameCoder reader = {}, writer = {};
    int threads = 1;                  ///< to pack frames
    double last_write_ms = 0;         ///< what the frame before took to write
    std::set<std::string> known = {}; ///< diagnostics that are in the file
    bool is_writing = false;          ///< there is a write-ahead log

    ~Parts();
    void find_log();
    bool prepare_to_write();
    bool fold();
    template <class Write>
    Problems write_at_once(bool is_lasting, Write write);
    Problems remember_diagnostics();
    /// Reads a frame with a coder that is ready for it.
    Result<Frame> read_frame(std::int64_t index, record::FrameCoder& with) const;
    /// Lets a coder see the frames before that it needs.
    Problems make_ready(std::int64_t index, record::FrameCoder& coder) const;
    Problem missing(std::int64_t index) const;
    /// Who met whom in frames `first` to `last`.
    Result<std::vector<ContactEvent>> read_events(std::int64_t first, std::int64_t last) const;

    static Result<Recording> open(const std::string& full, const std::string& name,
                                  Recording::Access access, record::WriterLock lock);
};

} // namespace sinew
