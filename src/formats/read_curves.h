#pragma once

#include "formats/read_mesh.h"
#include "sinew/curves.h"

namespace sinew {

Result<CurveSet> read_curves_obj(const std::string& name, std::string_view text);
Result<CurveSet> read_curves_csv(const std::string& name, std::string_view text);
Result<CurveSet> read_curves_hair(const std::string& name, std::string_view bytes);
Result<CurveSet> read_curves_usda(const std::string& name, std::string_view text);
Result<CurveSet> read_curves_usdc(const std::string& name, std::string_view bytes);

} // namespace sinew
