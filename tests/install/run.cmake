# Installs the library, builds a small program against it by find_package, and runs it.
file(REMOVE_RECURSE ${WORK})
function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
# By the environment: an argument with a semicolon would become two.
set(ENV{CMAKE_PREFIX_PATH} "${WORK}/installed:${PREFIX_PATH}")
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/install -B ${WORK}/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${WORK}/build)
execute_process(COMMAND ${WORK}/build/hello ${SOURCE}/examples/fig03_triple_pendulum.charli
    COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE said)
if(NOT said MATCHES "freedom 3")
    message(FATAL_ERROR "the installed library read: ${said}")
endif()
run(${WORK}/installed/bin/sinew check ${SOURCE}/examples/fig04_triple_pendulum_constraints.charli)
