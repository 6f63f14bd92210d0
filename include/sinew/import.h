#pragma once

/* Imports from a shared library, in plain C: what `sinew run --import NAME=LIBRARY` loads.
 *
 *     #include <sinew/import.h>
 *
 *     SINEW_IMPORT_LIBRARY
 *
 *     SINEW_IMPORT(engine)          // `import engine;` in the script
 *     {
 *         output->value = 2 * input->time;
 *         return 0;
 *     }
 *
 *     cc -shared -fPIC -O2 engine.c -o engine.so
 *
 * A function is called in the middle of steps, some of which are tried and thrown away, in any
 * order of times and from any thread: it must be a pure function of its input.
 * docs/guide/imports.md tells the rest. */

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Of the structures below; the program refuses a library made for another one. */
#define SINEW_IMPORT_VERSION 1

/** What an import sees. Valid during the call only. */
typedef struct SinewImportInput {
    double time;               /**< [s] on the script's clock */
    size_t coordinate_count;   /**< the free coordinates, in the order of `sinew check` */
    const char* const* names;  /**< "theta", "left.theta", "x[3]" */
    const double* coordinates; /**< [m] or [rad] */
    const double* rates;       /**< [m/s] or [rad/s] */
} SinewImportInput;

/** What it answers; all zero when it is called. */
typedef struct SinewImportOutput {
    double value;
    double first;          /**< the derivative of the value with respect to time, if known */
    double second;         /**< the second derivative, if known */
    int known_derivatives; /**< 0, 1 or 2: how many of these two are set */
} SinewImportOutput;

/** Returns 0; anything else says that there is no value here, and the run stops. */
typedef int (*SinewImportFunction)(const SinewImportInput* input, SinewImportOutput* output);

/** The coordinate of this name, or coordinate_count when the script has none. */
static inline size_t sinew_find_coordinate(const SinewImportInput* input, const char* name)
{
    size_t i = 0;
    while (i < input->coordinate_count && strcmp(input->names[i], name) != 0)
        ++i;
    return i;
}

#ifdef __cplusplus
}
#define SINEW_IMPORT_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define SINEW_IMPORT_EXPORT __attribute__((visibility("default")))
#endif

/** Once in a library: says for which version of this header it was made. */
#define SINEW_IMPORT_LIBRARY                                                                       \
    SINEW_IMPORT_EXPORT int sinew_import_version(void);                                            \
    SINEW_IMPORT_EXPORT int sinew_import_version(void) { return SINEW_IMPORT_VERSION; }

/** The head of the function behind `import name;`; its body follows in braces. */
#define SINEW_IMPORT(name)                                                                         \
    SINEW_IMPORT_EXPORT int sinew_import_##name(const SinewImportInput* input,                     \
                                                SinewImportOutput* output);                        \
    SINEW_IMPORT_EXPORT int sinew_import_##name(const SinewImportInput* input,                     \
                                                SinewImportOutput* output)
