#include "sinew/disks.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sys/vfs.h>

namespace sinew {

bool is_on_network(const std::string& path)
{
    namespace fs = std::filesystem;
    // NFS, SMB, CIFS, Lustre, GPFS, BeeGFS, Ceph, AFS, FUSE (sshfs, GlusterFS), 9P.
    constexpr std::array<unsigned long, 11> kKinds = {
        0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x0bd00bd0, 0x47504653,
        0x19830326, 0x00c36400, 0x5346414f, 0x65735546, 0x01021997};
    std::error_code missing;
    fs::path existing = fs::absolute(path, missing);
    while (!fs::exists(existing, missing) && existing.has_relative_path())
        existing = existing.parent_path();
    struct statfs status {};
    return statfs(existing.c_str(), &status) == 0 &&
           std::ranges::count(kKinds, static_cast<unsigned long>(status.f_type) & 0xffffffff) > 0;
}

} // namespace sinew
