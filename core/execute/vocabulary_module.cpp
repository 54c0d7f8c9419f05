#include "core/execute/vocabulary_module.h"

#include "core/base/error.h"

namespace bubblescope {

std::unique_ptr<VocabularyModule> StageMaker::makeShard(const VocabularyShare&, const StepData&, Arena&) const
{
    throw Failure("this model can't lay its vocabulary out in shards");
}

} // namespace bubblescope
