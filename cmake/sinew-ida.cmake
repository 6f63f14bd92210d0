# IDA alone, which needs no other part of SUNDIALS. Its own package file wants OpenMP of every compiler.
find_library(SUNDIALS_IDA sundials_ida REQUIRED)
find_path(SUNDIALS_IDA_HEADER ida/ida.h REQUIRED)
add_library(sinew_ida UNKNOWN IMPORTED)
set_target_properties(sinew_ida PROPERTIES IMPORTED_LOCATION ${SUNDIALS_IDA}
    INTERFACE_INCLUDE_DIRECTORIES ${SUNDIALS_IDA_HEADER})
