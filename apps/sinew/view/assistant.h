#pragma once

// The assistant gives the page's editor what language servers give editors: completion, help, the
// argument that is being typed, and where names come from. On a thread of its own, so that a long
// script keeps nobody waiting; of one page only the newest question counts.

#include "encode.h"
#include "messages.h"
#include "server.h"

#include "sinew/language.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace sinew::viewer {

class Assistant {
public:
    Assistant() = default;
    ~Assistant() { stop(); }
    Assistant(const Assistant&) = delete;
    Assistant& operator=(const Assistant&) = delete;

    void start(Server& server);
    void stop();

    /// `name` is the script's, `read_file` serves its includes. Answered with a message `assist`.
    void ask(ClientId client, message::Assist question, std::string name, ReadFile read_file);

private:
    struct Question {
        message::Assist what;
        std::string name;
        ReadFile read_file;
    };
    void run();
    static AssistText answer_to(const Question& question);

    Server* server_ = nullptr;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::pair<ClientId, message::Assist::What>, Question> questions_;
    bool is_stopped_ = false;
};

} // namespace sinew::viewer
