// The words of the language. Made by editors/textmate/make_grammar.py; edit editors/viewer/words.in.ts.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const kDeclaring = words(`var dynamic import param def`);
export const kKeywords = words(`end for in if else include as at frames along on and or not initial`);
export const kConstants = words(`pi time`);
export const kUnits = words(`mm cm km gram kg ms sec fps deg`);
export const kEasings = words(`linear slowin slowout slowinout hold`);
export const kBuiltins = words(`translatex translatey translatez translate rotatex rotatey rotatez scale ball free
    universal screw follow mass box_mass label line polygon path colour color look point spline spline_through
    closed_spline polyline dist_constraint path_constraint position_constraint orientation_constraint plane_constraint
    axis_constraint circle_constraint fusion keyhole oriented_keyhole pearl pulley winch cut above joint_constraint
    spring_and_damper force torque motor limits friction set_rate drag field wind turbulence vortex wake noise continuum
    gravity body obstacle material contact_material touches belt centre_of_mass moments_of_inertia box sphere capsule
    cylinder ellipsoid cone hull mesh plane height_field velocity spin ball_joint hinge_joint slider_joint fixed_joint
    universal_joint screw_joint gear_joint rack_joint lock_axes dist_joint strand branch groom rod radius
    mass_per_length density young poisson bend_stiffness twist_stiffness damping air_drag hinge time_scale
    local_dynamics pose blend freeze stretch stretch_stiffness least_radius surface contact children zero_gravity_rest
    simulate frame_rate assemble linkages bodies strands rods settle camera studio still probe echo assert sin cos tan
    asin acos atan atan2 sqrt exp log pow abs sign min max mod floor ceil random rate since contact_force
    constraint_force tension bending_moment twist_moment constraint_length constraint_error kinetic_energy
    potential_energy length unit dot cross count concat`);
