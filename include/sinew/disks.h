#pragma once

#include <string>

namespace sinew {

/// Whether a file lies, or would lie, on a file system that other machines write to as well (NFS,
/// SMB, Lustre, sshfs, ...). There nothing is written in place and nothing is locked.
bool is_on_network(const std::string& path);

} // namespace sinew
