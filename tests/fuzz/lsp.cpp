// Messages of an editor gone mad: lines of the input are messages, one after the other.

#include "lsp.h"

using namespace sinew::app;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    std::string text(reinterpret_cast<const char*>(data), size);
    LanguageServer server([](const nlohmann::json& message) {
        message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    });
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        server.receive(text.substr(at, end - at));
        at = end + 1;
    }
    server.publish();
    return 0;
}
