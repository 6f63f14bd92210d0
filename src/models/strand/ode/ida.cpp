#include "models/strand/ode/ida.h"
#include "sinew/stop.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>

namespace sinew::strand {

namespace {

constexpr int kMostSteps = 100000; // of IDA in one of the world
constexpr int kAgain = 1;          // what IDA is told where a shorter step may help

MotionSystem& system_of(void* data) { return *static_cast<MotionSystem*>(data); }

int find_residual(realtype time, N_Vector y, N_Vector slope, N_Vector F, void* data)
{
    return system_of(data).find_residual(time, N_VGetArrayPointer(y), N_VGetArrayPointer(slope),
                                         N_VGetArrayPointer(F))
               ? 0
               : kAgain;
}

void keep_silent(int, const char*, const char*, char*, void*) {}

// Our elimination as a matrix and a solver of SUNDIALS: the matrix is the place that MotionSystem
// holds, the content of both is the MotionSystem.

int hold_place(realtype time, realtype c, N_Vector y, N_Vector slope, N_Vector, SUNMatrix,
               void* data, N_Vector, N_Vector, N_Vector)
{
    system_of(data).hold(time, c, N_VGetArrayPointer(y), N_VGetArrayPointer(slope));
    return 0;
}

int solve_held(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype)
{
    const bool is_solved =
        system_of(solver->content).solve(N_VGetArrayPointer(b), N_VGetArrayPointer(x));
    return is_solved ? SUNLS_SUCCESS : SUNLS_PACKAGE_FAIL_REC;
}

SUNMatrix make_matrix(SUNContext context)
{
    SUNMatrix matrix = SUNMatNewEmpty(context);
    matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
    matrix->ops->zero = [](SUNMatrix) { return 0; };
    matrix->ops->destroy = SUNMatFreeEmpty;
    return matrix;
}

SUNLinearSolver make_solver(MotionSystem& system, SUNContext context)
{
    SUNLinearSolver solver = SUNLinSolNewEmpty(context);
    solver->content = &system;
    solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    solver->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
    solver->ops->initialize = [](SUNLinearSolver) { return int{SUNLS_SUCCESS}; };
    solver->ops->setup = [](SUNLinearSolver, SUNMatrix) { return int{SUNLS_SUCCESS}; };
    solver->ops->solve = solve_held;
    solver->ops->free = [](SUNLinearSolver own) {
        own->content = nullptr;
        SUNLinSolFreeEmpty(own);
        return int{SUNLS_SUCCESS};
    };
    return solver;
}

/// What SUNDIALS gives and takes back.
struct Session {
    MotionSystem& system;
    SUNContext context = nullptr;
    void* ida = nullptr;
    N_Vector y = nullptr, slope = nullptr;
    SUNMatrix matrix = nullptr;
    SUNLinearSolver solver = nullptr;

    Session(MotionSystem& of, const IdaSettings& settings);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    bool begin(const IdaSettings& settings, double t0, double t1);
    bool go(double until, StepOutcome& outcome);
};

Session::Session(MotionSystem& of, const IdaSettings& settings) : system(of)
{
    const sunindextype size = static_cast<sunindextype>(system.size());
    SUNContext_Create(nullptr, &context);
    ida = IDACreate(context);
    y = N_VNew_Serial(size, context);
    slope = N_VNew_Serial(size, context);
    if (settings.has_numerical_jacobian) {
        matrix = SUNDenseMatrix(size, size, context);
        solver = SUNLinSol_Dense(y, matrix, context);
    } else {
        matrix = make_matrix(context);
        solver = make_solver(system, context);
    }
}

Session::~Session()
{
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(slope);
    N_VDestroy(y);
    SUNContext_Free(&context);
}

bool Session::begin(const IdaSettings& settings, double t0, double t1)
{
    const auto is_good = [](int flag) { return flag == IDA_SUCCESS; };
    return system.find_slope(t0, N_VGetArrayPointer(y), N_VGetArrayPointer(slope)) &&
           is_good(IDASetErrHandlerFn(ida, keep_silent, nullptr)) &&
           is_good(IDAInit(ida, find_residual, t0, y, slope)) &&
           is_good(IDASetUserData(ida, &system)) &&
           is_good(IDASStolerances(ida, settings.tolerance, settings.tolerance)) &&
           is_good(IDASetLinearSolver(ida, solver, matrix)) &&
           (settings.has_numerical_jacobian || is_good(IDASetJacFn(ida, hold_place))) &&
           is_good(IDASetStopTime(ida, t1));
}

/// A step of IDA is one stage. False where a step fails, or there is no end of them.
bool Session::go(double until, StepOutcome& outcome)
{
    int flag = IDA_SUCCESS;
    while (flag == IDA_SUCCESS && outcome.stages < kMostSteps && !is_stopping()) {
        realtype reached = 0;
        flag = IDASolve(ida, until, &reached, y, slope, IDA_ONE_STEP);
        long solves = 0, error_failures = 0, solve_failures = 0;
        IDAGetNumNonlinSolvIters(ida, &solves);
        IDAGetNumErrTestFails(ida, &error_failures);
        IDAGetNumNonlinSolvConvFails(ida, &solve_failures);
        ++outcome.stages;
        outcome.worst = std::max(outcome.worst, static_cast<int>(solves) - outcome.solves);
        outcome.solves = static_cast<int>(solves);
        outcome.halvings = static_cast<int>(error_failures + solve_failures);
    }
    return flag == IDA_TSTOP_RETURN;
}

} // namespace

StepOutcome step_with_ida(MotionSystem& system, const IdaSettings& settings, double t0, double t1,
                          double* turns, double* rates)
{
    Session session(system, settings);
    double* y = N_VGetArrayPointer(session.y);
    constexpr std::size_t kUnknowns = MotionSystem::kUnknowns;
    const std::size_t count = system.size() / kUnknowns;
    for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(turns + 4 * i, 4, y + kUnknowns * i);
        std::copy_n(rates + 3 * i, 3, y + kUnknowns * i + 4);
    }
    StepOutcome outcome;
    const bool is_done = session.begin(settings, t0, t1) && session.go(t1, outcome);
    outcome.is_finite = outcome.is_converged = is_done;
    if (!is_done)
        return outcome;
    for (std::size_t i = 0; i < count; ++i) {
        const double* own = y + kUnknowns * i;
        const Quat q = normalised(Quat{own[0], own[1], own[2], own[3]});
        turns[4 * i] = q.x, turns[4 * i + 1] = q.y, turns[4 * i + 2] = q.z, turns[4 * i + 3] = q.w;
        std::copy_n(own + 4, 3, rates + 3 * i);
    }
    return outcome;
}

} // namespace sinew::strand
