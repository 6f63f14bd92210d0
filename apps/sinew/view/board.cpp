#include "board.h"

#include <algorithm>
#include <utility>

namespace sinew::viewer {

std::shared_ptr<const Sight> Board::sight() const
{
    const std::lock_guard lock(mutex_);
    return sight_;
}

void Board::set_sight(Sight sight)
{
    auto made = std::make_shared<const Sight>(std::move(sight));
    {
        const std::lock_guard lock(mutex_);
        sight_ = std::move(made);
    }
    changed_();
}

Activity Board::activity() const
{
    const std::lock_guard lock(mutex_);
    return activity_;
}

void Board::set_activity(Activity activity)
{
    const std::lock_guard lock(mutex_);
    activity_ = activity;
}

// --- frames --------------------------------------------------------------------------------------

std::shared_ptr<const Shot> Board::shot(std::int64_t frame, std::uint32_t layout) const
{
    const std::lock_guard lock(mutex_);
    const bool is_known = layout == layout_ && frame >= 0 && frame < std::int64_t(shots_.size());
    return is_known ? shots_[std::size_t(frame)].lock() : nullptr;
}

void Board::set_shot(std::int64_t frame, const std::shared_ptr<const Shot>& shot)
{
    const std::lock_guard lock(mutex_);
    if (shots_.size() <= std::size_t(frame))
        shots_.resize(std::size_t(frame) + 1);
    shots_[std::size_t(frame)] = shot;
    newest_ = shot;
}

void Board::forget_shots(std::uint32_t layout)
{
    const std::lock_guard lock(mutex_);
    layout_ = layout;
    shots_.clear();
    newest_.reset();
}

void Board::ask_for_shot(std::int64_t frame)
{
    const std::lock_guard lock(mutex_);
    shot_wish_ = frame;
}

std::int64_t Board::take_shot_wish()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(shot_wish_, -1);
}

// --- forces and the like -------------------------------------------------------------------------

std::shared_ptr<const Session::Details> Board::details(const DetailsWish& wish) const
{
    const std::lock_guard lock(mutex_);
    return details_of_ == wish ? details_ : nullptr;
}

void Board::ask_for_details(const DetailsWish& wish)
{
    const std::lock_guard lock(mutex_);
    details_wish_ = wish;
}

std::optional<DetailsWish> Board::take_details_wish()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(details_wish_, std::nullopt);
}

void Board::set_details(const DetailsWish& wish, Session::Details details)
{
    const std::lock_guard lock(mutex_);
    details_of_ = wish;
    details_ = std::make_shared<const Session::Details>(std::move(details));
}

void Board::forget_details()
{
    const std::lock_guard lock(mutex_);
    details_.reset();
}

// --- numbers -------------------------------------------------------------------------------------

void Board::set_rows(std::size_t first, std::span<const SeriesRow> rows)
{
    const std::lock_guard lock(mutex_);
    first_changed_row_ = std::min({first_changed_row_, first, rows_.size()});
    rows_.resize(std::min(first, rows_.size()));
    rows_.insert(rows_.end(), rows.begin(), rows.end());
}

std::vector<SeriesRow> Board::rows(std::size_t first, std::size_t most) const
{
    const std::lock_guard lock(mutex_);
    const std::size_t begin = std::min(first, rows_.size());
    const std::size_t end = std::min(begin + most, rows_.size());
    return {rows_.begin() + std::ptrdiff_t(begin), rows_.begin() + std::ptrdiff_t(end)};
}

std::size_t Board::take_first_changed_row()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(first_changed_row_, rows_.size());
}

} // namespace sinew::viewer
