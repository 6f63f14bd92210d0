// A disk that fills or fails at every possible write: the problem says so, and what was recorded
// before stays whole.

#include "unit/record/scratch.h"

#include <sqlite3.h>

#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace sinew;
using namespace sinew::test;

namespace {

/// SQLite's own file system, except that writing fails from the n-th write on.
class FailingDisk {
public:
    explicit FailingDisk(int code) : code_(code)
    {
        system_ = sqlite3_vfs_find(nullptr);
        shim_ = *system_;
        shim_.zName = "failing";
        shim_.szOsFile = int(sizeof(File)) + system_->szOsFile;
        shim_.pAppData = this;
        shim_.xOpen = open;
        REQUIRE(sqlite3_vfs_register(&shim_, 1) == SQLITE_OK);
    }
    ~FailingDisk()
    {
        sqlite3_vfs_unregister(&shim_);
        sqlite3_vfs_register(system_, 1);
    }
    FailingDisk(const FailingDisk&) = delete;
    FailingDisk& operator=(const FailingDisk&) = delete;

    int writes_left = 1 << 30;
    bool was_hit = false;

private:
    struct File {
        sqlite3_file base;
        sqlite3_io_methods methods;
        FailingDisk* disk;
        sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
    };
    static File* own(sqlite3_file* file) { return reinterpret_cast<File*>(file); }

    bool has_failed()
    {
        if (writes_left-- > 0)
            return false;
        was_hit = true;
        return true;
    }

    static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out)
    {
        auto* disk = static_cast<FailingDisk*>(vfs->pAppData);
        File* f = own(file);
        f->disk = disk;
        f->base.pMethods = nullptr;
        const int code = disk->system_->xOpen(disk->system_, name, f->real(), flags, out);
        if (code != SQLITE_OK || !f->real()->pMethods)
            return code;
        fill(f->methods);
        f->base.pMethods = &f->methods;
        return SQLITE_OK;
    }

    // Everything goes to the real file; what puts bytes on the disk may fail first.
    static void fill(sqlite3_io_methods& m)
    {
        m.iVersion = 2;
        m.xClose = [](sqlite3_file* f) { return own(f)->real()->pMethods->xClose(own(f)->real()); };
        m.xRead = [](sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
            return own(f)->real()->pMethods->xRead(own(f)->real(), to, size, at);
        };
        m.xWrite = [](sqlite3_file* f, const void* from, int size, sqlite3_int64 at) {
            return own(f)->disk->has_failed()
                       ? own(f)->disk->code_
                       : own(f)->real()->pMethods->xWrite(own(f)->real(), from, size, at);
        };
        m.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
            return own(f)->real()->pMethods->xTruncate(own(f)->real(), size);
        };
        m.xSync = [](sqlite3_file* f, int flags) {
            return own(f)->disk->has_failed()
                       ? int(SQLITE_IOERR_FSYNC)
                       : own(f)->real()->pMethods->xSync(own(f)->real(), flags);
        };
        m.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) {
            return own(f)->real()->pMethods->xFileSize(own(f)->real(), size);
        };
        m.xLock = [](sqlite3_file* f, int lock) {
            return own(f)->real()->pMethods->xLock(own(f)->real(), lock);
        };
        m.xUnlock = [](sqlite3_file* f, int lock) {
            return own(f)->real()->pMethods->xUnlock(own(f)->real(), lock);
        };
        m.xCheckReservedLock = [](sqlite3_file* f, int* out) {
            return own(f)->real()->pMethods->xCheckReservedLock(own(f)->real(), out);
        };
        m.xFileControl = [](sqlite3_file* f, int what, void* with) {
            return own(f)->real()->pMethods->xFileControl(own(f)->real(), what, with);
        };
        m.xSectorSize = [](sqlite3_file* f) {
            return own(f)->real()->pMethods->xSectorSize(own(f)->real());
        };
        m.xDeviceCharacteristics = [](sqlite3_file* f) {
            return own(f)->real()->pMethods->xDeviceCharacteristics(own(f)->real());
        };
        m.xShmMap = [](sqlite3_file* f, int page, int size, int extend, void volatile** out) {
            return own(f)->real()->pMethods->xShmMap(own(f)->real(), page, size, extend, out);
        };
        m.xShmLock = [](sqlite3_file* f, int offset, int n, int flags) {
            return own(f)->real()->pMethods->xShmLock(own(f)->real(), offset, n, flags);
        };
        m.xShmBarrier = [](sqlite3_file* f) {
            own(f)->real()->pMethods->xShmBarrier(own(f)->real());
        };
        m.xShmUnmap = [](sqlite3_file* f, int flag) {
            return own(f)->real()->pMethods->xShmUnmap(own(f)->real(), flag);
        };
    }

    int code_;
    sqlite3_vfs* system_ = nullptr;
    sqlite3_vfs shim_ = {};
};

constexpr int kFrames = 12;

/// Records until a problem comes, and returns it: code and fact, or nothing.
std::string record_until_fault(const std::string& path, int& frames)
{
    const Scene scene = small_scene();
    Result<Recording> recording = Recording::create(path, scene, small_info(scene));
    if (!recording)
        return first_problem(recording.problems());
    for (; frames < kFrames; ++frames) {
        const Problems problems =
            recording->append(frame_at(frames), statistics_at(frames), snapshot_at(frames));
        CHECK(recording->info().frame_count == frames + (problems.empty() ? 1 : 0));
        if (!problems.empty())
            return first_problem(problems);
    }
    return first_problem(recording->finish(std::nullopt));
}

void fail_everywhere(int code, const std::string& wanted)
{
    int faults = 0;
    for (int writes = 0;; ++writes) {
        const Scratch scratch;
        record_frames(scratch.path(), 2); // an old recording is in the place
        int frames = 0;
        {
            FailingDisk disk(code);
            disk.writes_left = writes;
            const std::string fault = record_until_fault(scratch.path(), frames);
            if (!disk.was_hit)
                break;
            INFO("after " << writes << " writes, " << frames << " frames: " << fault);
            // Not every failure matters: a log that cannot be folded in yet still holds all.
            if (!fault.empty()) {
                ++faults;
                CHECK((fault.find(wanted) != std::string::npos ||
                       fault.find("cannot be written: ") != std::string::npos ||
                       fault.starts_with("recording-in-two-files")));
            }
        }
        // The disk works again: all good frames are there, or the old recording is.
        INFO("after " << writes << " writes, " << frames << " frames");
        const Result<Recording> recording = Recording::open(scratch.path());
        REQUIRE_MESSAGE(recording, first_problem(recording.problems()));
        const std::int64_t count = recording->info().frame_count;
        CHECK((count == frames || count == frames + 1 || (frames == 0 && count == 2)));
        for (int i = 0; i < count; ++i)
            CHECK(is_same(*recording->frame(i), frame_at(i)));
    }
    CHECK(faults > kFrames);
}

} // namespace

TEST_CASE("a disk that is full says so at whatever write, and no frame is torn")
{
    fail_everywhere(SQLITE_FULL, "recording-full: the disk is full");
}

TEST_CASE("a disk that fails says so at whatever write, and no frame is torn")
{
    fail_everywhere(SQLITE_IOERR_WRITE, "recording-unwritable: cannot be written: ");
}

TEST_CASE("after a full disk the run goes on in the same recording")
{
    const Scratch scratch;
    const Scene scene = small_scene();
    {
        FailingDisk disk(SQLITE_FULL);
        Result<Recording> recording = Recording::create(scratch.path(), scene, small_info(scene));
        REQUIRE(recording);
        append_frames(*recording, 0, 4);
        disk.writes_left = 1;
        const Problems problems = recording->append(frame_at(5), statistics_at(5), snapshot_at(5));
        CHECK(first_problem(problems) == "recording-full: the disk is full");
        CHECK(problems[0].hint == "free some space, then continue with --resume");
        disk.writes_left = 1 << 30; // somebody made room
        append_frames(*recording, 5, 9);
        CHECK(recording->finish(std::nullopt).empty());
    }
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    for (int i = 0; i < 10; ++i)
        CHECK(is_same(*recording->frame(i), frame_at(i)));
}

TEST_CASE("a folder that cannot be written is named, and nothing is left there")
{
    const Scratch scratch;
    const Scene scene = small_scene();
    const auto problem_at = [&](const std::string& name) {
        const Result<Recording> made =
            Recording::create(scratch.path(name), scene, small_info(scene));
        return first_problem(made.problems());
    };
    CHECK(problem_at("no/where.sinew") ==
          "recording-unwritable: cannot be written: No such file or directory");
    write_file(scratch.path("file"), "x");
    CHECK(problem_at("file/a.sinew").find("Not a directory") != std::string::npos);
    CHECK(problem_at(std::string(300, 'n')).find("File name too long") != std::string::npos);
    if (geteuid() == 0)
        return; // root writes everywhere; tests/cli/run_test.py becomes somebody else
    REQUIRE(mkdir(scratch.path("closed").c_str(), 0555) == 0);
    CHECK(problem_at("closed/a.sinew") ==
          "recording-unwritable: cannot be written: Permission denied");
}
