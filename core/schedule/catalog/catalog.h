// The families of the catalogue. Each stands in one file beside this one; registry.cpp lists them.

#pragma once

#include "core/schedule/registry.h"

namespace bubblescope::catalog {

extern const RecipeInfo gpipe;
extern const RecipeInfo oneForwardOneBackward;
extern const RecipeInfo eagerOneForwardOneBackward;
extern const RecipeInfo interleaved;
extern const RecipeInfo loopedBreadthFirst;
extern const RecipeInfo breadthFirst;
extern const RecipeInfo twoStageBackprop;
extern const RecipeInfo zeroBubbleH1;
extern const RecipeInfo zeroBubbleH2;
extern const RecipeInfo zeroBubbleAuto;
extern const RecipeInfo zeroBubbleV;
extern const RecipeInfo vHalf;
extern const RecipeInfo vMin;
extern const RecipeInfo oneForwardOneBackwardV;
extern const RecipeInfo vZeroBubble;
extern const RecipeInfo vAuto;
extern const RecipeInfo buildingBlock;
extern const RecipeInfo interleavedZeroBubble;
extern const RecipeInfo groupInterleaved;
extern const RecipeInfo groupInterleavedHalf;
extern const RecipeInfo pipeOffload;
extern const RecipeInfo zeroPp;
extern const RecipeInfo vocabularyTwoBarriers;
extern const RecipeInfo vocabularyOneBarrier;
extern const RecipeInfo terapipe;
extern const RecipeInfo seq1f1b;
extern const RecipeInfo chunkFlow;
extern const RecipeInfo sppo;
extern const RecipeInfo roundPipe;
extern const RecipeInfo diffusionPipe;
extern const RecipeInfo skipPipe;
extern const RecipeInfo gnnPipe;
extern const RecipeInfo chimera;
extern const RecipeInfo bitpipe;
extern const RecipeInfo dualPipe;
extern const RecipeInfo dualPipeV;
extern const RecipeInfo hanayo;
extern const RecipeInfo pipedream;
extern const RecipeInfo pipedream2bw;
extern const RecipeInfo paci;
extern const RecipeInfo pipelinedBackprop;

} // namespace bubblescope::catalog
