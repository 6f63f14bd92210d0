#include "frame_writer.h"

namespace sinew::app {

namespace {

constexpr std::size_t kMostBytes = std::size_t{128} << 20; // of frames that wait to be written
constexpr std::size_t kMostWaiting = 200;                  // who presses Ctrl-C waits for them

std::size_t bytes_of(const FrameWriter::Item& item)
{
    const Frame& f = item.frame;
    return sizeof item + f.objects.size() * sizeof(Affine) + f.segments.size() * sizeof(Quat) +
           (f.points.size() + f.nodes.size()) * sizeof(Vec3) +
           f.loads.size() * sizeof(ConstraintLoad) + f.sections.size() * sizeof(SectionForce) +
           (item.snapshot ? item.snapshot->size() : 0);
}

} // namespace

Problems FrameWriter::push(Item item)
{
    if (!thread_.joinable())
        thread_ = std::thread([this] { write_all(); });
    const std::size_t bytes = bytes_of(item);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
        const bool has_room = bytes_ + bytes <= kMostBytes && waiting_.size() < kMostWaiting;
        return bytes_ == 0 || has_room || !problems_.empty();
    });
    if (!problems_.empty())
        return problems_;
    bytes_ += bytes;
    waiting_.push_back(std::move(item));
    changed_.notify_all();
    return {};
}

Problems FrameWriter::drain()
{
    if (!thread_.joinable())
        return problems_;
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
        changed_.notify_all();
    }
    thread_.join();
    is_ending_ = false;
    return problems_;
}

void FrameWriter::write_all()
{
    std::unique_lock lock(mutex_);
    while (problems_.empty()) {
        changed_.wait(lock, [&] { return is_ending_ || !waiting_.empty(); });
        if (waiting_.empty())
            return;
        const Item item = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        Problems problems = recording_.append(item.frame, item.statistics, item.snapshot);
        lock.lock();
        bytes_ -= bytes_of(item);
        problems_ = std::move(problems);
        changed_.notify_all();
    }
}

} // namespace sinew::app
