// The words of `sinew export` on the command line.

#include "export_options.h"

#include "render_options.h"

namespace sinew::app {

void add_export(CLI::App& out, ExportCommand& command)
{
    out.add_option("FILE", command.recording, "The recording")->required();
    out.add_option("OUT,-o,--out", command.out,
                   "The file; its extension chooses the format: .glb, .usda, .usdc, .csv, .obj, "
                   ".pc2, .hair or .bvh")
        ->required();
    out.add_option(
           "--for", command.program,
           "Axes, units and curves as a program expects them: blender, houdini, maya, unreal")
        ->check(CLI::IsMember({"blender", "houdini", "maya", "unreal"}));
    out.add_option("--up", command.up, "Which axis points up: y or z (glTF: always y)")
        ->check(CLI::IsMember({"y", "z"}));
    out.add_option("--scale", command.scale, "Units of the file per metre (glTF: always 1)")
        ->check(CLI::Range(1e-6, 1e6));
    out.add_option("--basis", command.basis, "Basis of USD curves: linear, catmull-rom or bspline")
        ->check(CLI::IsMember({"linear", "catmull-rom", "bspline"}));
    CLI::Option* frame =
        out.add_option("--frame", command.frame, "Only this frame")->check(CLI::NonNegativeNumber);
    out.add_option_function<std::string>(
           "--frames",
           [&command](const std::string& text) {
               command.frames = read_frames(text);
               if (!command.frames)
                   throw CLI::ValidationError("--frames " + text + kFramesHint);
           },
           "FIRST..LAST (default: all)")
        ->excludes(frame);
    out.add_option("--every", command.every, "Only every N-th strand")
        ->check(CLI::Range(1, 1'000'000'000));
    out.add_option("--hairs", command.hairs,
                   "USD and .hair: number of hairs around each strand, which guides them")
        ->check(CLI::Range(1, 10000));
    out.add_option("--clip-frames", command.clip_frames,
                   "USD: number of frames per file, joined by value clips")
        ->check(CLI::Range(1, 1'000'000'000));
}

} // namespace sinew::app
