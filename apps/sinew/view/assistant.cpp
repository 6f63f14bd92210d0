#include "assistant.h"

#include "encode.h"

#include <utility>

namespace sinew::viewer {

void Assistant::start(Server& server)
{
    server_ = &server;
    thread_ = std::thread([this] { run(); });
}

void Assistant::stop()
{
    {
        const std::lock_guard lock(mutex_);
        is_stopped_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable())
        thread_.join();
}

void Assistant::ask(ClientId client, message::Assist question, std::string name, ReadFile read_file)
{
    const auto key = std::pair(client, question.what);
    {
        const std::lock_guard lock(mutex_);
        questions_[key] = {std::move(question), std::move(name), std::move(read_file)};
    }
    changed_.notify_all();
}

void Assistant::run()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return is_stopped_ || !questions_.empty(); });
        if (is_stopped_)
            return;
        const ClientId client = questions_.begin()->first.first;
        const Question question = std::move(questions_.begin()->second);
        questions_.erase(questions_.begin());
        lock.unlock();
        server_->send_text(client,
                           std::make_shared<const std::string>(encode(answer_to(question))));
        lock.lock();
    }
}

AssistText Assistant::answer_to(const Question& question)
{
    using What = message::Assist::What;
    const auto& [id, what, text, offset] = question.what;
    AssistText answer{.id = id};
    if (what == What::call) {
        answer.call = call_help(text, offset);
        return answer;
    }
    const ScriptAssistant assistant(question.name, text, question.read_file);
    if (what == What::complete)
        answer.completions = assistant.complete(offset);
    else if (what == What::hover)
        answer.hover = assistant.hover(offset);
    else if (const auto found = assistant.definition(offset); found && found->file == question.name)
        answer.definition = found;
    return answer;
}

} // namespace sinew::viewer
