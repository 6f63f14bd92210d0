" Colours of CHARLI scripts. Made by editors/textmate/make_grammar.py; edit charli.in.vim instead.
if exists("b:current_syntax")
  finish
endif

syntax case match
syntax iskeyword 48-57,65-90,97-122,_

syntax match charliUnknown "[^ \t]"
syntax match charliDelimiter "[][(){},;.]"
syntax match charliOperator "[-+*/<>=?:]\|[!=<>]=\|\.\."
syntax match charliName "[A-Za-z_][A-Za-z0-9_]*"
syntax match charliNumber "\%(\d\+\%(\.\d\+\)\?\|\.\d\+\)\%([eE][-+]\?\d\+\)\?"
syntax match charliString +"[^"\r]*"+
syntax match charliOpenString +"[^"\r]*$+
syntax match charliComment "#.*$" contains=@Spell
syntax region charliComment start="/\*" end="\*/" contains=@Spell

" Behind a number a unit needs no blank.
syntax match charliUnit "\d\@<=\%(mm\|cm\|km\|gram\|kg\|ms\|sec\|fps\|deg\)\>"
syntax keyword charliDeclaration var dynamic import param def
syntax keyword charliKeyword end for in if else include as at frames along on and or not initial
syntax keyword charliConstant pi time
syntax keyword charliUnit mm cm km gram kg ms sec fps deg
syntax keyword charliEasing linear slowin slowout slowinout hold
syntax keyword charliWord translatex translatey translatez translate rotatex rotatey rotatez scale ball free universal screw follow mass box_mass label line polygon path colour color look point spline spline_through closed_spline polyline dist_constraint path_constraint position_constraint orientation_constraint plane_constraint axis_constraint circle_constraint fusion keyhole oriented_keyhole pearl pulley winch cut above joint_constraint spring_and_damper force torque motor limits friction set_rate drag field wind turbulence vortex wake noise continuum gravity body obstacle material contact_material touches belt centre_of_mass moments_of_inertia box sphere capsule cylinder ellipsoid cone hull mesh plane height_field velocity spin ball_joint hinge_joint slider_joint fixed_joint universal_joint screw_joint gear_joint rack_joint lock_axes dist_joint strand branch groom rod radius mass_per_length density young poisson bend_stiffness twist_stiffness damping air_drag hinge time_scale local_dynamics pose blend freeze stretch stretch_stiffness least_radius surface contact children zero_gravity_rest simulate frame_rate assemble linkages bodies strands rods settle camera studio still probe echo assert sin cos tan asin acos atan atan2 sqrt exp log pow abs sign min max mod floor ceil random rate since contact_force constraint_force tension bending_moment twist_moment constraint_length constraint_error kinetic_energy potential_energy length unit dot cross count concat
syntax match charliDefinition "\%(\<def\s\+\)\@<=[A-Za-z_]\w*"

highlight default link charliUnknown Error
highlight default link charliOpenString Error
highlight default link charliOperator Operator
highlight default link charliDelimiter Delimiter
highlight default link charliNumber Number
highlight default link charliString String
highlight default link charliComment Comment
highlight default link charliDeclaration StorageClass
highlight default link charliKeyword Keyword
highlight default link charliConstant Constant
highlight default link charliUnit Type
highlight default link charliEasing Special
highlight default link charliWord Function
highlight default link charliDefinition Identifier

let b:current_syntax = "charli"
