/* Two imports for shaker.charli.
 *
 *     cc -shared -fPIC -O2 -I include examples/plugins/shaker.c -o shaker.so -lm
 *     sinew run examples/plugins/shaker.charli --import shake=shaker.so --import brake=shaker.so */

#include <sinew/import.h>

#include <math.h>

SINEW_IMPORT_LIBRARY

/* Where the pivot is: a function of time that knows its derivatives, so nothing is differentiated numerically. */
SINEW_IMPORT(shake)
{
    const double height = 0.05, speed = 60;
    output->value = height * sin(speed * input->time);
    output->first = height * speed * cos(speed * input->time);
    output->second = -height * speed * speed * sin(speed * input->time);
    output->known_derivatives = 2;
    return 0;
}

/* A torque against the turning, stronger the faster it turns: a function of the state. */
SINEW_IMPORT(brake)
{
    const size_t theta = sinew_find_coordinate(input, "theta");
    if (theta == input->coordinate_count)
        return 1; /* no such coordinate: there is no value, and the run stops */
    const double rate = input->rates[theta];
    output->value = -0.02 * rate - 0.01 * rate * fabs(rate);
    return 0;
}
