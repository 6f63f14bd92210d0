#include "farm/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace sinew::app {

namespace {

std::vector<char*> pointers(const std::vector<std::string>& words)
{
    std::vector<char*> list;
    for (const std::string& word : words)
        list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    return list;
}

int spawn(const std::vector<std::string>& words, posix_spawn_file_actions_t& actions)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigfillset(&defaults);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    pid_t process = -1;
    const int fault = posix_spawnp(&process, words[0].c_str(), &actions, &attributes,
                                   pointers(words).data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return fault == 0 ? process : -1;
}

} // namespace

int start_process(const std::vector<std::string>& words, const std::string& log)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!log.empty()) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                         O_WRONLY | O_CREAT | O_APPEND, 0666);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    }
    return spawn(words, actions);
}

std::optional<std::string> output_of(const std::vector<std::string>& words)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return std::nullopt;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int process = spawn(words, actions);
    close(ends[1]);
    std::string text;
    std::array<char, 4096> bytes{};
    for (ssize_t count = 1; process > 0 && count != 0;) {
        count = ::read(ends[0], bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            break;
        text.append(bytes.data(), std::size_t(std::max<ssize_t>(count, 0)));
    }
    close(ends[0]);
    int status = 1;
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    return process > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? std::optional(text)
                                                                        : std::nullopt;
}

std::string shell_word(const std::string& word)
{
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

bool is_installed(const std::string& name)
{
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + name).c_str(), X_OK) == 0)
            return true;
    return false;
}

std::string own_program()
{
    std::error_code fault;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", fault);
    return fault ? "sinew" : path.string();
}

} // namespace sinew::app
