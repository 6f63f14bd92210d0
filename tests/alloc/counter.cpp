// Stands in front of the C library's allocator and counts.

#include "alloc/counter.h"

#include <atomic>
#include <cerrno>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SINEW_TEST_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define SINEW_TEST_SANITIZED
#endif

namespace {

std::atomic<std::size_t> count{0};

} // namespace

namespace sinew::test {

std::size_t allocation_count() { return count; }

} // namespace sinew::test

#ifdef SINEW_TEST_SANITIZED

bool sinew::test::can_count_allocations() { return false; }

#else

bool sinew::test::can_count_allocations() { return true; }

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size)
{
    ++count;
    return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size)
{
    ++count;
    return __libc_calloc(number, size);
}

void* realloc(void* old, std::size_t size)
{
    ++count;
    return __libc_realloc(old, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    ++count;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size)
{
    ++count;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}
}

#endif
