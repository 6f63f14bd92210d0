#pragma once

#include "sinew/error.h"
#include "sinew/record.h"
#include "sinew/scene.h"

#include <cstdio>
#include <memory>
#include <string>

namespace sinew::app {

/// A table of every frame and every named thing: time,name,x,y,z,qx,qy,qz,qw.
class Table {
public:
    /// Makes sure that the table can be written, before the run. The old file stays until `write`.
    static Result<Table> open(const std::string& path);

    Table(Table&&) noexcept = default;
    Table& operator=(Table&&) noexcept = default;
    ~Table();

    /// All frames of a recording, those of earlier runs too.
    Problems write(const Scene& scene, const Recording& recording);

private:
    Table() = default;
    Problem problem(int error) const;

    std::string path_;
    std::string beside_; ///< written first, then put into the place; empty: written directly
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
};

} // namespace sinew::app
