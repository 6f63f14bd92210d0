#pragma once

/// SINEW_CLONES before a function: compiled for several instruction sets, the widest that the
/// machine has is taken when the program starts. Nothing fuses multiplication and addition, so all
/// give the same bits. Not under sanitizers, which cannot yet run when the choice is made.

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SINEW_IS_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINEW_IS_SANITIZED
#endif

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(SINEW_IS_SANITIZED)
#define SINEW_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define SINEW_CLONES
#endif

/// What a function with clones calls and must be compiled with it: a call would lose its set.
#define SINEW_IN_CLONES [[gnu::always_inline]] inline
